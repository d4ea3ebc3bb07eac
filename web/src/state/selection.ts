// Selecting in a list: one, a row of them with Shift, none.
import { useStore } from "./store";

export interface SelectionState {
  chosen: ReadonlySet<number>;
  /** Index from which Shift selects a row. */
  anchor: number | null;
}

export type SelectionAction =
  | { type: "toggled"; id: number; index: number }
  | { type: "added"; ids: number[]; index: number }
  | { type: "cleared" };

export const NOTHING_SELECTED: SelectionState = { chosen: new Set(), anchor: null };

/** A set with the element put in, or taken out where it was in. */
export function toggled<T>(set: ReadonlySet<T>, element: T): Set<T> {
  const next = new Set(set);
  if (!next.delete(element)) next.add(element);
  return next;
}

export function reduceSelection(state: SelectionState, action: SelectionAction): SelectionState {
  switch (action.type) {
    case "toggled":
      return { chosen: toggled(state.chosen, action.id), anchor: action.index };
    case "added":
      return { chosen: new Set([...state.chosen, ...action.ids]), anchor: action.index };
    case "cleared":
      return NOTHING_SELECTED;
  }
}

export interface Selection {
  chosen: ReadonlySet<number>;
  toggle: (index: number, extend: boolean) => void;
  extend: (from: number, to: number) => void;
  clear: () => void;
}

/** A selection of pictures in a list; `idAt` gives the picture at an index, where it is loaded. */
export function useSelection(idAt: (index: number) => number | undefined): Selection {
  const { state, dispatch } = useStore(reduceSelection, NOTHING_SELECTED);
  const extend = (from: number, to: number) => {
    const ids: number[] = [];
    for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
      const id = idAt(index);
      if (id !== undefined) ids.push(id);
    }
    dispatch({ type: "added", ids, index: to });
  };
  return {
    chosen: state.value.chosen,
    toggle: (index, isRow) => {
      const id = idAt(index);
      const { anchor } = state.peek();
      if (id === undefined) return;
      if (isRow && anchor !== null) extend(anchor, index);
      else dispatch({ type: "toggled", id, index });
    },
    extend,
    clear: () => dispatch({ type: "cleared" }),
  };
}
