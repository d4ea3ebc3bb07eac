// Short messages: what was done, with a way back, and what went wrong.
import { reportConnection } from "../api/connection";
import { createStore } from "./store";

export interface Toast {
  id: number;
  text: string;
  tone: "done" | "wrong";
  action?: { label: string; run: () => void };
}

export interface ToastsState {
  toasts: readonly Toast[];
  lastId: number;
}

type ToastsAction = { type: "shown"; toast: Omit<Toast, "id"> } | { type: "closed"; id: number };

const AT_MOST = 3;
const STAY_MS = 7000;

export const NO_TOASTS: ToastsState = { toasts: [], lastId: 0 };

/** A message that is there already is not shown twice; of the others the latest stay. */
export function reduceToasts({ toasts, lastId }: ToastsState, action: ToastsAction): ToastsState {
  if (action.type === "closed") return { toasts: toasts.filter(({ id }) => id !== action.id), lastId };
  const id = lastId + 1;
  const others = toasts.filter(({ text }) => text !== action.toast.text).slice(1 - AT_MOST);
  return { toasts: [...others, { ...action.toast, id }], lastId: id };
}

const store = createStore(reduceToasts, NO_TOASTS);

export const toasts = store.state;

export const closeToast = (id: number): void => store.dispatch({ type: "closed", id });

export function showToast(toast: Omit<Toast, "id">): void {
  store.dispatch({ type: "shown", toast });
  const { lastId } = store.state.peek();
  if (toast.tone === "done") setTimeout(() => closeToast(lastId), STAY_MS);
}

/** Say that something went wrong; it stays until it is closed. That the server is away is said in one place only. */
export function complain(error: unknown): void {
  if (error instanceof TypeError) {
    reportConnection(false);
    return;
  }
  const text = error instanceof Error ? error.message : String(error);
  showToast({ text: text.charAt(0).toUpperCase() + text.slice(1), tone: "wrong" });
}

/** Run something and say what goes wrong; whether it went well. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}
