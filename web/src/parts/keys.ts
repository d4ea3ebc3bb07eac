// Keys of the question screen: remappable, switchable off, silent while somebody types.
import { useEffect, useRef } from "preact/hooks";
import type { Settings } from "../api/types";

export const DEFAULT_KEYS: Record<string, string> = {
  same: "s",
  different: "d",
  unsure: " ",
  bad: "b",
  undo: "Backspace",
  swap: "x",
  zoom: "z",
  ab: "1",
  ac: "2",
  bc: "3",
  none: "0",
};

export const KEY_WORDS: Record<string, string> = {
  same: "Same",
  different: "Different",
  unsure: "Not sure",
  bad: "Bad picture",
  undo: "Undo",
  swap: "Swap sides",
  zoom: "Enlarge",
  ab: "A and B, or the first picture",
  ac: "A and C, or the second picture",
  bc: "B and C, or the third picture",
  none: "None of these",
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

const typing = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;

/** Whether the key is the one that presses what has the focus. */
const presses = (event: KeyboardEvent): boolean =>
  (event.key === " " || event.key === "Enter") &&
  event.target instanceof Element &&
  event.target.closest("a, button, summary, [role=option]") !== null;

/** Call `pressed` with the actions of a key that goes down; never twice for one that is held. */
export function useKeys(keys: Record<string, string>, on: boolean, pressed: (action: string) => void): void {
  const latest = useRef(pressed);
  latest.current = pressed;
  useEffect(() => {
    if (!on) return;
    const down = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (typing(event.target) || presses(event)) return;
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
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.repeat || typing(event.target)) return;
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
