// The answers to each kind of question, and the words for them.
import { ANSWERS as ALLOWED } from "../api/schema";
import type { Kind, Question, Value } from "../api/types";
import { worded } from "../state/words";
import { capital, plain } from "./prompt";

export const ANSWERS: Record<Kind, readonly Value[]> = ALLOWED;

export const ANSWER_WORDS: Record<Value, string> = {
  same: "Same",
  different: "Different",
  unsure: "Not sure",
  ab: "A and B",
  ac: "A and C",
  bc: "B and C",
  none: "None of these",
  marked: "Looked at",
  chosen: "Put there",
};

export const isAnswer = (kind: Kind, action: string): action is Value =>
  (ANSWERS[kind] as readonly string[]).includes(action);

/** Whether one answer to it is about many pictures. */
export const isScreen = (kind: Kind): boolean => kind === "grid" || kind === "pick";

/** The actions whose keys also say which picture is meant. */
export const PICTURE_ACTIONS: readonly string[] = ["ab", "ac", "bc"] satisfies Value[];

/** What a question asks, by its kind alone. */
export const ASKED: Record<Kind, string> = {
  pair: "Same or different?",
  triplet: "Which two belong together?",
  grid: "Which of these do not belong?",
  pick: "Which group is this picture of?",
};

/** What to do, in a line. */
export const TO_DO: Record<Kind, string> = {
  pair: "",
  triplet: "",
  grid: "Tap those that do not belong to the group, then send.",
  pick: "Choose its group, or none of them.",
};

/** What a question asks, in words about the pictures and groups that are shown. */
export function askedOf({ kind, items, prompt }: Question): string {
  if (kind === "pair" && prompt) return capital(plain(prompt));
  const [a, b] = items.map((item) => item.cluster);
  if (kind !== "pair" || !a || !b) return worded(ASKED[kind]);
  if (a.id === b.id) return worded`Do these two belong together?`;
  if ((a.size === 1) !== (b.size === 1)) return worded`Is this picture one of this group?`;
  return a.size === 1 ? worded`Are these two the same?` : worded`Are these two groups the same?`;
}
