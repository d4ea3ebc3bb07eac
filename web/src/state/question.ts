// The question on the screen and what is being done with it.
import type { AnswerForm, Conflict, Item, Next, Question, Value } from "../api/types";
import { isScreen } from "../parts/answers";
import { toggled } from "./selection";

export interface QuestionState {
  next: Next | null;
  /** When it was shown, in milliseconds. */
  since: number;
  /** When a question last gave way to what came after it: a press right then was meant for it. */
  gaveWay: number;
  swapped: boolean;
  /** Pictures of a grid that do not belong. */
  marked: ReadonlySet<number>;
  /** Which picture is enlarged. */
  zoomed: number | null;
  /** Whether the person is to say which picture is bad. */
  choosing: boolean;
  conflict: Conflict | null;
  /** The last answer, for screen readers. */
  said: string;
  /** The button that lights up. */
  flash: string;
  busy: boolean;
}

export type QuestionAction =
  | { type: "shown"; next: Next; at: number; marked?: readonly number[] }
  | { type: "marked"; item: number }
  | { type: "completed"; next: Next }
  | { type: "swapped" }
  | { type: "zoomed"; picture: number | null }
  | { type: "choosing"; on: boolean }
  | { type: "sending"; action: string }
  | { type: "answered"; said: string; conflict: Conflict | null }
  | { type: "sent" }
  | { type: "faded" };

export const NO_QUESTION: QuestionState = {
  next: null,
  since: 0,
  gaveWay: Number.NEGATIVE_INFINITY,
  swapped: false,
  marked: new Set(),
  zoomed: null,
  choosing: false,
  conflict: null,
  said: "",
  flash: "",
  busy: false,
};

export function reduceQuestion(state: QuestionState, action: QuestionAction): QuestionState {
  switch (action.type) {
    case "shown":
      if (isSame(state.next, action.next)) return again(state, action.next, action.marked);
      return {
        ...state,
        ...fresh(action.next),
        since: action.at,
        gaveWay: questionOf(state.next) ? action.at : state.gaveWay,
        marked: new Set(action.marked),
      };
    case "marked":
      return { ...state, marked: toggled(state.marked, action.item) };
    case "completed": // the same question, with what is known of its clusters by now
      return isSame(state.next, action.next) ? { ...state, next: action.next } : state;
    case "swapped":
      return { ...state, swapped: !state.swapped };
    case "zoomed":
      return { ...state, zoomed: action.picture };
    case "choosing":
      return { ...state, choosing: action.on };
    case "sending":
      return { ...state, busy: true, flash: action.action };
    case "answered":
      return { ...state, said: action.said, conflict: action.conflict };
    case "sent":
      return { ...state, busy: false };
    case "faded":
      return { ...state, flash: "" };
  }
}

/** The same question was loaded once more: whoever looks at it goes on, and a press is not taken for one too soon. */
const again = (state: QuestionState, next: Next, marked: readonly number[] = []): QuestionState => ({
  ...state,
  next,
  marked: marked.length ? new Set(marked) : state.marked,
});

const fresh = (next: Next) => ({ next, swapped: false, zoomed: null, choosing: false });

const GUARD_MS = 200; // a press this soon after one question followed another was meant for the one before

export const isTooSoon = (since: number, now: number): boolean => now - since < GUARD_MS;

export const questionOf = (next: Next | null): Question | null => (next && "items" in next ? next : null);

function isSame(a: Next | null, b: Next): boolean {
  const [one, other] = [questionOf(a), questionOf(b)];
  return one !== null && other !== null && one.id === other.id;
}

/** Swapping turns the pictures of a pair, not the answer; a triplet keeps its letters. */
export const shownItems = (question: Question, swapped: boolean): Item[] =>
  swapped && question.kind === "pair" ? [...question.items].reverse() : question.items;

export function answerOf(
  question: Question,
  value: Value,
  swapped: boolean,
  ms: number,
  chosen: readonly number[] = [],
): AnswerForm {
  const closest = question.items.map((item) => item.cluster?.closest ?? []);
  const check = question.check ? { check: true } : {};
  return {
    kind: question.kind,
    items: question.items.map((item) => item.id),
    value,
    chosen: [...chosen],
    seconds: Math.round(ms) / 1000,
    shown: isScreen(question.kind)
      ? { reason: question.reason, examples: question.items.map((item) => item.examples ?? []) }
      : { swapped, reason: question.reason, closest, ...check },
  };
}
