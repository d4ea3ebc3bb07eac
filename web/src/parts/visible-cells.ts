// Which cells of a grid are in sight.
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

const MARGIN = 1; // rows above and below what is in sight
const SETTLE_MS = 90;
const FAST = 3; // pixels a millisecond: faster than anybody looks
export interface VisibleCells {
  columns: number;
  width: number;
  height: number;
  start: number;
  stop: number;
  flying: boolean;
}

export const NOTHING: VisibleCells = { columns: 1, width: 0, height: 1, start: 0, stop: 0, flying: false };

/** Find out which cells are in sight, at every scroll and change of size; fast is flying, until it settles. */
export function useMeasure(
  box: { current: HTMLDivElement | null },
  total: number,
  minWidth: number,
  heightOf: (width: number) => number,
  setView: (next: (now: VisibleCells) => VisibleCells) => void,
): () => void {
  const settle = useRef(0);
  const before = useRef({ top: 0, at: 0 });
  const measure = useCallback(
    (settled = true) => {
      const element = box.current;
      if (!element?.clientWidth) return;
      const columns = Math.max(1, Math.floor(element.clientWidth / minWidth));
      const width = element.clientWidth / columns;
      const height = Math.round(heightOf(width));
      const top = -element.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(top / height) - MARGIN);
      const last = Math.max(first, Math.ceil((top + innerHeight) / height) + MARGIN);
      const start = Math.min(first * columns, Math.max(0, total - 1));
      const stop = Math.min(total, last * columns);
      const at = performance.now();
      const fast = Math.abs(top - before.current.top) > FAST * (at - before.current.at);
      before.current = { top, at };
      setView((now) => {
        const flying = !settled && now.stop > 0 && (fast || now.flying);
        const same = now.columns === columns && now.width === width && now.height === height;
        if (same && now.start === start && now.stop === stop && now.flying === flying) return now;
        return { columns, width, height, start, stop, flying };
      });
    },
    [total, minWidth, heightOf],
  );

  useLayoutEffect(() => {
    let asked = 0;
    const soon = () => {
      if (!asked)
        asked = requestAnimationFrame(() => {
          asked = 0;
          measure(false);
        });
      clearTimeout(settle.current);
      settle.current = window.setTimeout(measure, SETTLE_MS);
    };
    measure();
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    const watched = new ResizeObserver(soon);
    if (box.current) watched.observe(box.current);
    return () => {
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
      watched.disconnect();
      cancelAnimationFrame(asked);
      clearTimeout(settle.current);
    };
  }, [measure]);
  return measure;
}
