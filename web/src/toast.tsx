// Short words on what was done, each with a way back.
import { useEffect, useState } from "preact/hooks";
import { api, Refused, type Answered, type Next } from "./api";
import { publish } from "./news";

interface Toast {
  id: number;
  text: string;
  tone: "done" | "wrong";
  action?: { label: string; run: () => void };
}

const STAY_MS = 7000;
const UNDO = { label: "Undo", run: () => void takeBack() };
const REDO = { label: "Redo", run: () => void redo() };
let toasts: Toast[] = [];
let last = 0;
let redraw: () => void = () => undefined;

function show(toast: Omit<Toast, "id">): void {
  const id = ++last;
  toasts = [...toasts.filter(({ text }) => text !== toast.text).slice(-2), { ...toast, id }];
  redraw();
  if (toast.tone === "done") setTimeout(() => close(id), STAY_MS);
}

function close(id: number): void {
  toasts = toasts.filter((toast) => toast.id !== id);
  redraw();
}

/** Say that something went wrong; it stays until it is closed. That the server is away is said in one place only. */
export function complain(error: unknown): void {
  if (error instanceof TypeError) return publish("online", false);
  show({ text: sentence(error instanceof Error ? error.message : String(error)), tone: "wrong" });
}

/** Say that something was done, with an undo when it can be taken back. */
export function say(text: string, undoable = false): void {
  show({ text, tone: "done", action: undoable ? UNDO : undefined });
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const WORDS: Record<string, string> = {
  adjudicate: "a decision", answer: "an answer", gold: "gold pairs", bad: "a bad picture", confirm: "a confirmation", grid: "a grid check", merge: "a merge", move: "a move",
  name: "a name", restore: "a picture taken in", split: "a split", unconfirm: "a confirmation", withdraw: "a resolved conflict",
};

let answered: ((next: Next) => void) | null = null;

/** The question screen asks to be shown what comes after an undo. */
export function onAnswered(heard: ((next: Next) => void) | null): void {
  answered = heard;
}

/** Say what was undone, unless it was an answer: its question is there again. */
export function tellUndone({ undone }: Answered): void {
  if (!undone || undone.kind === "answer") return;
  show({ text: `Took back ${WORDS[undone.kind] ?? "it"}`, tone: "done", action: REDO });
}

/** That nothing is left to undo or redo is no fault. */
export function complainOrEnd(error: unknown): void {
  if (error instanceof Refused && error.status === 409) say("There is nothing to take back");
  else complain(error);
}

function settle(done: Answered, text: string, again: { label: string; run: () => void }): void {
  publish("changed", { seq: done.seq });
  answered?.(done.next);
  show({ text, tone: "done", action: again });
}

/** Undo the last thing this person did, whatever it was. */
export async function takeBack(): Promise<void> {
  try {
    const done = await api.undo();
    const what = WORDS[done.undone?.kind ?? ""] ?? "it";
    settle(done, `Took back ${what}`, REDO);
  } catch (error) {
    complainOrEnd(error);
  }
}

export async function redo(): Promise<void> {
  try {
    settle(await api.redo(), "Done again", UNDO);
  } catch (error) {
    complainOrEnd(error);
  }
}

export function Toasts() {
  const [, draw] = useState(0);
  useEffect(() => {
    redraw = () => draw((n) => n + 1);
    return () => {
      redraw = () => undefined;
    };
  }, []);
  return (
    <div class="toasts" aria-live="polite" role="region" aria-label="Messages">
      {toasts.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone}`} role={tone === "wrong" ? "alert" : undefined}>
          <span>{text}</span>
          {action && (
            <button
              class="small"
              onClick={() => {
                close(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button class="small" aria-label="Close this message" onClick={() => close(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
