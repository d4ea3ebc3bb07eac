// From question to question: load one, send what the person does, show what comes next.
import { useCallback, useEffect } from "preact/hooks";
import { api } from "../api/routes";
import type { Answered, Item, Next, Question } from "../api/types";
import { ANSWER_WORDS, isAnswer, PICTURE_ACTIONS } from "../parts/answers";
import { preload } from "../parts/picture";
import { publish, useBackOnline, useNews } from "./news";
import {
  answerOf,
  isTooSoon,
  NO_QUESTION,
  type QuestionAction,
  type QuestionState,
  questionOf,
  reduceQuestion,
  shownItems,
} from "./question";
import { questionKind } from "./settings";
import { type Store, useStore } from "./store";
import { complain } from "./toasts";
import { complainOrEnd, sayUndone } from "./undo";

const FLASH_MS = 160;

export interface QuestionFlow {
  state: QuestionState;
  question: Question | null;
  /** The pictures as they are shown. */
  items: Item[];
  dispatch: (action: QuestionAction) => void;
  act: (action: string) => void;
  leaveOut: (item: Item) => void;
}

/** Without `blind`, the clusters of the pictures are shown as soon as they are known. */
export function useQuestionFlow(blind: boolean): QuestionFlow {
  const store = useStore(reduceQuestion, NO_QUESTION);
  const load = useLoading(store, blind);
  const { state, dispatch } = store;
  const question = questionOf(state.value.next);
  const items = question ? shownItems(question, state.value.swapped) : [];
  const run = (action: string, words: string, request: () => Promise<Answered>) =>
    void send(store, load, { action, words, request });
  const leaveOut = (item: Item) => run("bad", "Left out", () => api.bad(item.id));
  const act = (action: string) => {
    if (action === "undo") return run(action, "Taken back", () => api.undo());
    if (!question) return;
    const { choosing, since, swapped } = state.peek();
    if (action === "bad") return dispatch({ type: "choosing", on: !choosing });
    if (choosing) {
      const item = items[PICTURE_ACTIONS.indexOf(action)];
      if (item) leaveOut(item);
      return;
    }
    if (action === "swap") return dispatch({ type: "swapped" });
    if (action === "zoom") return dispatch({ type: "zoomed", picture: 0 });
    if (!isAnswer(question.kind, action)) return;
    const form = answerOf(question, action, swapped, performance.now() - since);
    run(action, ANSWER_WORDS[action], () => api.answer(form));
  };
  return { state: state.value, question, items, dispatch, act, leaveOut };
}

type QuestionStore = Store<QuestionState, QuestionAction>;

function show({ dispatch }: QuestionStore, next: Next): void {
  dispatch({ type: "shown", next, at: performance.now() });
  preload(questionOf(next)?.ahead ?? []);
}

/** Loads a question, and again when there is something new; gives the function that loads. */
function useLoading(store: QuestionStore, blind: boolean): () => void {
  const kind = questionKind.value;
  const load = useCallback(() => {
    api.question().then((next) => show(store, next), complain);
  }, [kind, store]);
  useEffect(load, [load]);
  useNews("next", (next) => show(store, next));
  const loadIfNone = () => {
    const { next, busy } = store.state.peek();
    if (!questionOf(next) && !busy) load(); // something new was prepared, or read
  };
  useNews("question", loadIfNone);
  useBackOnline(loadIfNone);
  useNews("clusters", () => {
    const question = questionOf(store.state.peek().next);
    if (blind || !question?.items.some((item) => item.cluster === null)) return;
    api.question().then((next) => store.dispatch({ type: "completed", next }), complain);
  });
  return load;
}

interface Deed {
  action: string;
  words: string;
  request: () => Promise<Answered>;
}

async function send(store: QuestionStore, load: () => void, { action, words, request }: Deed): Promise<void> {
  const { state, dispatch } = store;
  const { busy, since } = state.peek();
  if (busy || (action !== "undo" && isTooSoon(since, performance.now()))) return;
  dispatch({ type: "sending", action });
  try {
    const done = await request();
    dispatch({ type: "answered", said: words, conflict: done.conflict ?? null });
    show(store, done.next);
    publish("changed", { seq: done.seq });
    sayUndone(done);
  } catch (error) {
    if (action === "undo") return complainOrEnd(error);
    complain(error);
    load();
  } finally {
    dispatch({ type: "sent" });
    setTimeout(() => dispatch({ type: "faded" }), FLASH_MS);
  }
}
