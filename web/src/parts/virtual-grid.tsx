// A grid of which only what is in sight exists: a hundred thousand tiles scroll like a hundred.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isElsewhere, isTyping, presses } from "./keys";
import { NOTHING, useMeasure, type VisibleCells } from "./visible-cells";

export interface Cell {
  /** Whether Tab stops here: one cell of the grid at a time, arrow keys go to the others. */
  active: boolean;
  /** Whether it flies by: pictures are not worth fetching. */
  flying: boolean;
}

interface Props {
  total: number;
  minWidth: number;
  height: (width: number) => number;
  label: string;
  role?: "list" | "listbox";
  render: (index: number, cell: Cell) => ComponentChildren;
  onRange?: (start: number, stop: number) => void;
  onKey?: (event: KeyboardEvent, index: number) => void;
  /** Keys that are pressed while the focus is elsewhere on the page. */
  onKeyElsewhere?: (event: KeyboardEvent) => void;
  onMove?: (from: number, to: number, extend: boolean) => void;
}

export function VirtualGrid(props: Props) {
  const { total, minWidth, height, label, role = "list", render, onRange, onKey, onMove } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(NOTHING);
  const measure = useMeasure(box, total, minWidth, height, setView);
  const { active, focused, focusHandlers, goTo } = useActiveCell(box, total, view, measure);
  useEffect(() => {
    if (!view.flying) onRange?.(view.start, view.stop);
  }, [view.start, view.stop, view.flying, onRange]);

  const down = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const index = indexOf(target);
    if (index === null || isTyping(target) || target.closest("dialog")) return;
    const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : stepOf(event.key, index, total, view);
    if (step === undefined) return onKey?.(event, index);
    event.preventDefault();
    const to = goTo(index + step);
    onMove?.(index, to, event.shiftKey);
  };

  useKeysElsewhere(box, (event) => {
    const isStep = !event.ctrlKey && !event.metaKey && !event.altKey && event.key.startsWith("Arrow");
    if (!isStep || total === 0) return props.onKeyElsewhere?.(event);
    event.preventDefault();
    goTo(active); // the arrow keys go on from where one was last
  });

  const reachable = active >= view.start && active < view.stop ? active : view.start;
  const indices: number[] = [];
  for (let index = view.start; index < view.stop; index++) indices.push(index);
  // What has the focus stays, however far it is scrolled away.
  if (focused && active < total && (active < view.start || active >= view.stop)) indices.push(active);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is list or listbox
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is list or listbox
    <div
      ref={box}
      class="virtual"
      role={role}
      aria-label={label}
      aria-multiselectable={role === "listbox" ? true : undefined}
      style={{ height: `${Math.ceil(total / view.columns) * view.height}px` }}
      onKeyDown={down}
      {...focusHandlers}
    >
      {indices.map((index) => (
        <div key={index} {...about(role, index, total)} data-index={index} style={styleAt(index, view)}>
          {render(index, { active: index === reachable, flying: view.flying })}
        </div>
      ))}
    </div>
  );
}

/** The cell that Tab stops at: the one that had the focus last, or that a key went to. */
function useActiveCell(
  box: { current: HTMLDivElement | null },
  total: number,
  view: VisibleCells,
  measure: () => void,
) {
  const [active, setActive] = useState(0);
  const [focused, setFocused] = useState(false);
  const wanted = useRef(-1);
  useLayoutEffect(() => {
    if (wanted.current < 0) return;
    const target = box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] [data-focus]`);
    if (!target) return;
    wanted.current = -1;
    target.focus({ preventScroll: true });
  });
  const goTo = (index: number): number => {
    const to = Math.max(0, Math.min(total - 1, index));
    wanted.current = to;
    setActive(to);
    if (box.current) reveal(box.current, Math.floor(to / view.columns) * view.height, view.height);
    measure();
    return to;
  };
  const focusHandlers = {
    onFocusIn: (event: FocusEvent) => {
      setFocused(true);
      const index = indexOf(event.target as HTMLElement);
      if (index !== null) setActive(index);
    },
    onFocusOut: () => setFocused(false),
  };
  return { active, focused, focusHandlers, goTo };
}

/** Keys that go down outside the grid, where they are not for something else. */
function useKeysElsewhere(box: { current: HTMLDivElement | null }, pressed: (event: KeyboardEvent) => void): void {
  const latest = useRef(pressed);
  latest.current = pressed;
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isElsewhere(event.target) || presses(event)) return;
      if (!box.current?.contains(event.target as Node)) latest.current(event);
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);
}

/** The index of the cell that an element is in. */
function indexOf(element: HTMLElement): number | null {
  const cell = element.closest<HTMLElement>("[data-index]");
  return cell ? Number(cell.dataset.index) : null;
}

/** How far a key goes from an index; undefined for other keys. */
function stepOf(key: string, index: number, total: number, { columns, height }: VisibleCells): number | undefined {
  const rows = Math.max(1, Math.floor((innerHeight - 200) / height));
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: rows * columns,
    PageUp: -rows * columns,
    Home: -index,
    End: total - 1 - index,
  };
  return steps[key];
}

const about = (role: string, index: number, total: number): JSX.HTMLAttributes<HTMLDivElement> =>
  role === "list" ? { role: "listitem", "aria-setsize": total, "aria-posinset": index + 1 } : { role: "presentation" };

const styleAt = (index: number, view: VisibleCells): JSX.CSSProperties => ({
  position: "absolute",
  width: `${view.width}px`,
  height: `${view.height}px`,
  transform: `translate(${(index % view.columns) * view.width}px, ${Math.floor(index / view.columns) * view.height}px)`,
});

/** Scroll so far that a row is in sight, below what sticks to the top and above what sticks to the bottom. */
function reveal(box: HTMLElement, top: number, height: number): void {
  const y = box.getBoundingClientRect().top + top;
  const above = 130;
  const below = innerHeight - 90;
  if (y < above) scrollBy(0, y - above);
  else if (y + height > below) scrollBy(0, y + height - below);
}

/** Something that waits while its cell flies by, and stays once it was shown. */
export function Calm({ flying, children }: { flying: boolean; children: ComponentChildren }) {
  const shown = useRef(false);
  shown.current ||= !flying;
  return <>{shown.current && children}</>;
}
