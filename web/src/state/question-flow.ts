// From question to question: load one, send what the person does, show what comes next.
import { useCallback, useEffect } from "preact/hooks";
import { api } from "../api/routes";
import type { Answered, Item, Next, Question } from "../api/types";
import { ANSWER_WORDS, isAnswer, PICTURE_ACTIONS } from "../parts/answers";
import { inPhotographs } from "../parts/photograph";
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
import { ofFaces, worded } from "./words";

const FLASH_MS = 160;

export interface QuestionFlow {
  state: QuestionState;
  question: Question | null;
  /** The pictures as they are shown. */
  items: Item[];
  dispatch: (action: QuestionAction) => void;
  act: (action: string) => void;
  leaveOut: (item: Item) => void;
  /** A picture of a grid or a group of a pick was pressed. */
  press: (item: Item) => void;
  /** Send a grid with what is marked on it. */
  sendMarked: () => void;
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
    if (action === "photo") {
      inPhotographs.value = ofFaces.peek() && !inPhotographs.peek();
      return;
    }
    if (action === "zoom") return dispatch({ type: "zoomed", picture: 0 });
    if (question.kind === "grid" && action === "same" && !state.peek().marked.size) return sendMarked();
    if (!isAnswer(question.kind, action) || action === "marked" || action === "chosen") return;
    const form = answerOf(question, action, swapped, performance.now() - since);
    run(action, ANSWER_WORDS[action], () => api.answer(form));
  };
  const sendMarked = () => {
    if (question?.kind !== "grid") return;
    const { marked, since } = state.peek();
    const chosen = question.items.map((item) => item.id).filter((id) => marked.has(id));
    const form = answerOf(question, "marked", false, performance.now() - since, chosen);
    const words = chosen.length ? `${chosen.length} do not belong` : "All belong";
    run("marked", words, () => api.answer(form));
  };
  const press = (item: Item) => {
    if (!question) return;
    const { choosing, since } = state.peek();
    if (choosing) return leaveOut(item);
    if (question.kind === "grid") return dispatch({ type: "marked", item: item.id });
    const form = answerOf(question, "chosen", false, performance.now() - since, [item.id]);
    run(`chosen ${item.id}`, `Put into ${item.cluster?.name || worded`the group`}`, () => api.answer(form));
  };
  return { state: state.value, question, items, dispatch, act, leaveOut, press, sendMarked };
}

type QuestionStore = Store<QuestionState, QuestionAction>;

function show({ dispatch }: QuestionStore, next: Next, marked: readonly number[] = []): void {
  dispatch({ type: "shown", next, at: performance.now(), marked });
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

/** What was marked on a grid that was just taken back: it is shown again as it was sent. */
function markedBefore({ undone, next }: Answered): number[] {
  const chosen = undone?.kind === "grid" && questionOf(next)?.kind === "grid" ? undone.payload.chosen : [];
  return Array.isArray(chosen) ? chosen.map(Number) : [];
}

interface Deed {
  action: string;
  words: string;
  request: () => Promise<Answered>;
}

async function send(store: QuestionStore, load: () => void, { action, words, request }: Deed): Promise<void> {
  const { state, dispatch } = store;
  const { busy, gaveWay } = state.peek();
  if (busy || (action !== "undo" && isTooSoon(gaveWay, performance.now()))) return;
  dispatch({ type: "sending", action });
  try {
    const done = await request();
    dispatch({ type: "answered", said: words, conflict: done.conflict ?? null });
    show(store, done.next, markedBefore(done));
    publish("changed", { seq: done.seq });
    sayUndone(done);
  } catch (error) {
    if (action === "undo") return complainOrEnd(error);
    complain(error);
    load();
  } finally {
    dispatch({ type: "sent" });
    const { next } = state.peek();
    if (next && "waiting" in next) load(); // what was prepared while this was under way was not heard of
    setTimeout(() => dispatch({ type: "faded" }), FLASH_MS);
  }
}
