// A long list of which the pages in sight are fetched, and those far away forgotten.
import { useMemo, useState } from "preact/hooks";
import { complain } from "../state/toasts";

const KEPT = 30; // pages: enough to scroll back a while, few enough for a list of any length

interface Page<T> {
  total: number;
  rows: T[];
  /** How many pictures the whole list is about, where it says so. */
  pictures?: number;
}

type FetchPage<T> = (offset: number, limit: number) => Promise<Page<T>>;

export interface Pages<T> {
  total: number | null;
  pictures: number;
  at: (index: number) => T | undefined;
  need: (start: number, stop: number) => unknown;
  /** Fetch again what is in sight; ends when it is there. */
  reload: () => Promise<void>;
  patch: (index: number, row: T) => void;
  /** All rows that are loaded. */
  rows: () => T[];
}

/** Loading again keeps the old rows until the new ones are there. */
export class PagedList<T> implements Pages<T> {
  total: number | null = null;
  pictures = 0;
  private readonly pages = new Map<number, T[]>();
  private asked = new Set<number>();
  private era = 0; // answers to what was asked before a reload do not count
  private start = 0;
  private stop = 0;

  constructor(
    readonly limit: number,
    public fetchPage: FetchPage<T>,
    private readonly changed: () => void,
  ) {}

  readonly at = (index: number): T | undefined => this.pages.get(Math.floor(index / this.limit))?.[index % this.limit];

  readonly need = (start: number, stop: number): Promise<void>[] => {
    [this.start, this.stop] = [start, stop];
    const asked: Promise<void>[] = [];
    for (let page = Math.floor(start / this.limit); page * this.limit < Math.max(stop, 1); page++) {
      if (!this.asked.has(page)) asked.push(this.fetchOne(page));
    }
    return asked;
  };

  readonly reload = async (): Promise<void> => {
    this.era += 1;
    this.asked = new Set();
    for (const page of this.pages.keys()) if (!this.isInSight(page)) this.pages.delete(page);
    await Promise.all(this.need(this.start, this.stop));
  };

  readonly patch = (index: number, row: T): void => {
    const page = this.pages.get(Math.floor(index / this.limit));
    if (page) page[index % this.limit] = row;
    this.changed();
  };

  readonly rows = (): T[] => [...this.pages.values()].flat();

  private isInSight(page: number): boolean {
    return page >= Math.floor(this.start / this.limit) && page * this.limit <= this.stop;
  }

  private async fetchOne(page: number): Promise<void> {
    const { era } = this;
    this.asked.add(page);
    try {
      const { total, rows, pictures = 0 } = await this.fetchPage(page * this.limit, this.limit);
      if (this.era !== era) return;
      this.total = total;
      this.pictures = pictures;
      this.pages.delete(page);
      this.pages.set(page, rows);
      this.forget();
      this.changed();
    } catch (error) {
      if (this.era !== era) return;
      this.asked.delete(page);
      complain(error);
    }
  }

  private forget(): void {
    for (const page of this.pages.keys()) {
      if (this.pages.size <= KEPT) return;
      if (this.isInSight(page)) continue;
      this.pages.delete(page);
      this.asked.delete(page);
    }
  }
}

/** Rows of `fetchPage(offset, limit)`, where `fetchPage` may change before a reload. */
export function usePages<T>(fetchPage: FetchPage<T>, limit: number): Pages<T> {
  const [, draw] = useState(0);
  const list = useMemo(() => new PagedList<T>(limit, fetchPage, () => draw((n) => n + 1)), [limit]);
  list.fetchPage = fetchPage;
  const { total, pictures, at, need, reload, patch, rows } = list;
  return { total, pictures, at, need, reload, patch, rows }; // new each time, so that what is drawn from it is drawn again
}
