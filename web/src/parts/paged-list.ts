// A long list of which the pages in sight are fetched, and those far away forgotten.
import { useCallback, useRef, useState } from "preact/hooks";
import { complain } from "../state/toasts";

const KEPT = 30; // pages: enough to scroll back a while, few enough for a list of any length

interface Page<T> {
  total: number;
  rows: T[];
}

export interface Pages<T> {
  total: number | null;
  at: (index: number) => T | undefined;
  need: (start: number, stop: number) => void;
  reload: () => void;
  patch: (index: number, row: T) => void;
}

/** Rows of `fetchPage(offset, limit)`; loading again keeps the old rows until the new ones are there. */
export function usePages<T>(fetchPage: (offset: number, limit: number) => Promise<Page<T>>, limit: number): Pages<T> {
  const [, draw] = useState(0);
  const state = useRef({
    rows: new Map<number, T[]>(),
    asked: new Set<number>(),
    total: null as number | null,
    era: 0,
    range: [0, 0],
  });
  const latest = useRef(fetchPage);
  latest.current = fetchPage;

  const fetchOne = useCallback(
    (page: number) => {
      const { era } = state.current;
      state.current.asked.add(page);
      latest.current(page * limit, limit).then(
        ({ total, rows }) => {
          const now = state.current;
          if (now.era !== era) return;
          now.total = total;
          now.rows.delete(page);
          now.rows.set(page, rows);
          forget(now.rows, now.asked, now.range[0]! / limit, now.range[1]! / limit);
          draw((n) => n + 1);
        },
        (error: unknown) => {
          if (state.current.era !== era) return;
          state.current.asked.delete(page);
          complain(error);
        },
      );
    },
    [limit],
  );

  const need = useCallback(
    (start: number, stop: number) => {
      state.current.range = [start, stop];
      for (let page = Math.floor(start / limit); page * limit < Math.max(stop, 1); page++) {
        if (!state.current.asked.has(page)) fetchOne(page);
      }
    },
    [fetchOne, limit],
  );

  const reload = useCallback(() => {
    const now = state.current;
    now.era += 1;
    now.asked = new Set();
    const first = Math.floor(now.range[0]! / limit);
    for (const page of now.rows.keys()) if (page < first || page * limit > now.range[1]!) now.rows.delete(page);
    need(now.range[0]!, now.range[1]!);
  }, [need, limit]);

  return {
    total: state.current.total,
    at: (index) => state.current.rows.get(Math.floor(index / limit))?.[index % limit],
    need,
    reload,
    patch: (index, row) => {
      const page = state.current.rows.get(Math.floor(index / limit));
      if (page) page[index % limit] = row;
      draw((n) => n + 1);
    },
  };
}

function forget<T>(rows: Map<number, T[]>, asked: Set<number>, first: number, last: number): void {
  for (const page of rows.keys()) {
    if (rows.size <= KEPT) return;
    if (page >= Math.floor(first) && page <= last) continue;
    rows.delete(page);
    asked.delete(page);
  }
}
