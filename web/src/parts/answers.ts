// The answers to each kind of question, and the words for them.
import { ANSWERS as ALLOWED } from "../api/schema";
import type { Kind, Value } from "../api/types";

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

/** What the question asks, by its kind. */
export const ASKED: Record<Kind, string> = { pair: "Same or different?", triplet: "Which two belong together?" };
