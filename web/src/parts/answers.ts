// The answers to each kind of question, and the words for them.
import { ANSWERS as ALLOWED } from "../api/schema";
import type { Kind, Question, Value } from "../api/types";

export const ANSWERS: Record<Kind, readonly Value[]> = ALLOWED;

export const ANSWER_WORDS: Record<Value, string> = {
  same: "Same",
  different: "Different",
  unsure: "Not sure",
  ab: "A and B",
  ac: "A and C",
  bc: "B and C",
  none: "None of these",
};

export const isAnswer = (kind: Kind, action: string): action is Value =>
  (ANSWERS[kind] as readonly string[]).includes(action);

/** The actions whose keys also say which picture is meant. */
export const PICTURE_ACTIONS: readonly string[] = ["ab", "ac", "bc"] satisfies Value[];

/** What a question asks, by its kind alone. */
export const ASKED: Record<Kind, string> = { pair: "Same or different?", triplet: "Which two belong together?" };

/** What a question asks, in words about the pictures and groups that are shown. */
export function askedOf({ kind, items }: Question): string {
  const [a, b] = items.map((item) => item.cluster);
  if (kind !== "pair" || !a || !b) return ASKED[kind];
  if (a.id === b.id) return "Do these two belong together?";
  if ((a.size === 1) !== (b.size === 1)) return "Is this picture one of this group?";
  return a.size === 1 ? "Are these two the same?" : "Are these two groups the same?";
}
