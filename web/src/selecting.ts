// Selecting of pictures: one, a row of them with Shift, all, none.
import { useState } from "preact/hooks";

export interface Selecting {
  chosen: Set<number>;
  has: (id: number) => boolean;
  toggle: (index: number, extend: boolean) => void;
  extend: (from: number, to: number) => void;
  clear: () => void;
}

/** `idAt` gives the picture at a place of the list, where it is there. */
export function useSelecting(idAt: (index: number) => number | undefined): Selecting {
  const [chosen, setChosen] = useState<Set<number>>(new Set());
  const [anchor, setAnchor] = useState<number | null>(null);

  const addAll = (from: number, to: number) => {
    const now = new Set(chosen);
    for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
      const id = idAt(index);
      if (id !== undefined) now.add(id);
    }
    setChosen(now);
  };

  return {
    chosen,
    has: (id) => chosen.has(id),
    toggle: (index, extend) => {
      const id = idAt(index);
      if (id === undefined) return;
      if (extend && anchor !== null) addAll(anchor, index);
      else {
        const now = new Set(chosen);
        if (!now.delete(id)) now.add(id);
        setChosen(now);
      }
      setAnchor(index);
    },
    extend: (from, to) => {
      addAll(from, to);
      setAnchor(to);
    },
    clear: () => {
      setChosen(new Set());
      setAnchor(null);
    },
  };
}
