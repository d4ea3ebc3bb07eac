// The wall as one left it: its order and how far it was scrolled.
import { signal } from "@preact/signals";

export const SORTS = [
  ["size", "Largest"],
  ["doubt", "Least certain"],
  ["name", "Name"],
] as const;
export type Sort = (typeof SORTS)[number][0];

export const wallSort = signal<Sort>("size");
export const wallTop = signal(0);
