// Keys of the question screen: remappable, switchable off, silent while somebody types.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Settings } from "../api/types";

export const DEFAULT_KEYS: Record<string, string> = {
  same: "s",
  different: "d",
  unsure: " ",
  bad: "b",
  undo: "Backspace",
  swap: "x",
  zoom: "z",
  photo: "p",
  ab: "1",
  ac: "2",
  bc: "3",
  none: "0",
  complete: "c",
  one: "m",
};

export const KEY_WORDS: Record<string, string> = {
  same: "Same",
  different: "Different",
  unsure: "Not sure",
  bad: "Bad picture",
  undo: "Undo",
  swap: "Swap sides",
  zoom: "Enlarge",
  photo: "The photographs that faces are in",
  ab: "A and B, or the first picture",
  ac: "A and C, or the second picture",
  bc: "B and C, or the third picture",
  none: "None of these",
  complete: "The group is complete and right",
  one: "Two groups are one",
};

const NAMES: Record<string, string> = {
  " ": "Space",
  Backspace: "Bksp",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Delete: "Del",
};

export const keysOf = (settings?: Settings): Record<string, string> => ({ ...DEFAULT_KEYS, ...settings?.keys });
export const keyName = (key: string): string => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** Names for assistive technology, as in the specification of aria-keyshortcuts. */
export const shortcut = (key: string): string => (key === " " ? "Space" : key.length === 1 ? key.toUpperCase() : key);

const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** Whether keys are written where the focus is. A box that was ticked is no such place, nor a dialog just closed. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null && !target.closest("dialog:not([open])");

/** Whether a key is not for the page: somebody types, or a dialog is open. */
export const isElsewhere = (target: EventTarget | null): boolean =>
  isTyping(target) || document.querySelector("dialog[open]") !== null;

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

/** Whether the key is the one that presses what has the focus, or that chooses among it. */
export const presses = ({ key, target }: KeyboardEvent): boolean => {
  if (!(target instanceof Element)) return false;
  if (ARROWS.includes(key)) return target.closest("input[type=radio]") !== null;
  if (key !== " " && key !== "Enter") return false;
  return target.closest("a, button, summary, input, [role=option]") !== null;
};

/** Call `pressed` with the actions of a key that goes down; never twice for one that is held. */
export function useKeys(keys: Record<string, string>, on: boolean, pressed: (action: string) => void): void {
  const latest = useRef(pressed);
  latest.current = pressed;
  useLayoutEffect(() => {
    if (!on) return; // at once: a key may follow in the moment in which what it is for appeared
    const down = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      if (isElsewhere(event.target) || presses(event)) return;
      const found = Object.entries(keys).filter(
        ([, key]) => key !== "" && key.toLowerCase() === event.key.toLowerCase(),
      );
      if (!found.length) return;
      event.preventDefault();
      for (const [action] of found) latest.current(action);
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [keys, on]);
}

/** Ctrl+Z and Ctrl+Shift+Z (or Y) anywhere but where somebody types. */
export function useUndoKeys(undo: () => void, redo: () => void): void {
  const latest = useRef({ undo, redo });
  latest.current = { undo, redo };
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.repeat || isElsewhere(event.target)) return;
      const key = event.key.toLowerCase();
      const run = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : null;
      if (!run) return;
      event.preventDefault();
      latest.current[run]();
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);
}
