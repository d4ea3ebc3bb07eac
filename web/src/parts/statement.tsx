// What was said of two pictures, with the pictures and who said it.
import { annotator } from "../api/requests";
import type { Told } from "../api/types";
import { Picture } from "./picture";

const WHERE: Record<string, string> = {
  confirm: "by confirming a cluster",
  grid: "on a grid",
  merge: "by merging clusters",
  split: "by splitting a cluster",
  move: "by moving pictures",
};

export const relation = (value: string): string => (value === "same" ? "same" : "different");

export function whoSaid({ annotator: who, kind, seq }: Told): string {
  if (seq === 0) return "what you are about to say";
  const name = who === annotator() ? "you" : who || "somebody";
  const where = WHERE[kind ?? ""];
  return where ? `${name}, ${where}` : name;
}

/** Whether taking this back takes back more than this one pair. */
export const isPartOfMore = (told: Told): boolean => (told.kind ?? "answer") in WHERE;

/** Two pictures and the word between them. */
export function Pair({ told, size = "thumb" }: { told: Told; size?: "thumb" | "preview" }) {
  const [a, b] = told.items;
  return (
    <span class={`told ${told.value}`}>
      <Picture id={a} size={size} alt={`Picture ${a}`} />
      <span class="relation">
        <span aria-hidden="true">{told.value === "same" ? "=" : "≠"}</span> {relation(told.value)}
      </span>
      <Picture id={b} size={size} alt={`Picture ${b}`} />
    </span>
  );
}
