// Short messages: what was done, with a way back, and what went wrong.
import { reportConnection } from "../api/connection";
import { createStore } from "./store";

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface Toast {
  id: number;
  text: string;
  tone: "done" | "wrong";
  actions?: ToastAction[];
}

export interface ToastsState {
  toasts: readonly Toast[];
  lastId: number;
}

type ToastsAction = { type: "shown"; toast: Omit<Toast, "id"> } | { type: "closed"; id: number };

const AT_MOST = 3;

/** How long a message stays, in milliseconds: what offers something, or went wrong, takes longer to read. */
export const stayOf = ({ tone, actions = [] }: Omit<Toast, "id">): number =>
  tone === "wrong" ? 20_000 : actions.length > 1 ? 14_000 : 7000;

export const NO_TOASTS: ToastsState = { toasts: [], lastId: 0 };

/** What was done takes the place of what was done before; of what went wrong the latest stay, none of it twice. */
export function reduceToasts({ toasts, lastId }: ToastsState, action: ToastsAction): ToastsState {
  if (action.type === "closed") return { toasts: toasts.filter(({ id }) => id !== action.id), lastId };
  const id = lastId + 1;
  const { text, tone } = action.toast;
  const others = toasts.filter((one) => one.text !== text && !(tone === "done" && one.tone === "done"));
  return { toasts: [...others.slice(1 - AT_MOST), { ...action.toast, id }], lastId: id };
}

const store = createStore(reduceToasts, NO_TOASTS);

export const toasts = store.state;

export const closeToast = (id: number): void => store.dispatch({ type: "closed", id });

export const showToast = (toast: Omit<Toast, "id">): void => store.dispatch({ type: "shown", toast });

/** Say that something went wrong. That the server is away is said in one place only. */
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
