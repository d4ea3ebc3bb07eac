// What was said of two pictures, with the pictures and who said it.
import { annotator } from "../api/requests";
import type { Statement } from "../api/types";
import { worded } from "../state/words";
import { Picture } from "./picture";

const WHERE: Record<string, string> = {
  check: "on a grid",
  confirm: "by confirming a cluster",
  grid: "on a grid",
  pick: "by choosing a group",
  group: "by making a group",
  merge: "by merging clusters",
  split: "by splitting a cluster",
  move: "by moving pictures",
  reject: "by saying no",
};

export const relation = (value: string): string => (value === "same" ? "same" : "different");

/** Whether nobody said it: two faces of one photograph differ. */
export const isFact = ({ kind }: Pick<Statement, "kind">): boolean => kind === "photograph";

/** Who said it, and on what occasion. */
export function whoSaid({ annotator: who, kind, seq }: Statement): string {
  if (isFact({ kind })) return "two faces of one photograph";
  if (seq === 0) return "what you are about to say";
  const name = who === annotator() ? "you" : who || "somebody";
  const where = WHERE[kind ?? ""];
  return where ? `${name}, ${worded(where)}` : name;
}

/** Whether taking this back takes back more than this one pair. */
export const isPartOfMore = (statement: Statement): boolean => (statement.kind ?? "answer") in WHERE;

/** Two pictures and the word between them. */
export function StatementPair({ statement: { items, value } }: { statement: Statement }) {
  const [a, b] = items;
  return (
    <span class={`statement ${value}`}>
      <Picture id={a} alt={worded`Picture ${a}`} />
      <span class="relation">
        <span aria-hidden="true">{value === "same" ? "=" : "≠"}</span> {relation(value)}
      </span>
      <Picture id={b} alt={worded`Picture ${b}`} />
    </span>
  );
}
