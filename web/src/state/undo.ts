// Undo and redo of the last thing this person did, whatever it was.
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Answered } from "../api/types";
import { publish } from "./news";
import { complain, showToast } from "./toasts";

const WORDS: Record<string, string> = {
  adjudicate: "a decision",
  answer: "an answer",
  gold: "gold pairs",
  bad: "a bad picture",
  confirm: "a confirmation",
  grid: "a grid check",
  merge: "a merge",
  move: "a move",
  name: "a name",
  restore: "a picture taken in",
  split: "a split",
  unconfirm: "a confirmation",
  withdraw: "a resolved conflict",
};

const UNDO = { label: "Undo", run: () => void undo() };
const REDO = { label: "Redo", run: () => void redo() };

/** Say that something was done, with an undo when it can be taken back. */
export function say(text: string, undoable = false): void {
  showToast({ text, tone: "done", action: undoable ? UNDO : undefined });
}

/** Say what was undone, unless it was an answer: its question is there again. */
export function sayUndone({ undone }: Answered): void {
  if (!undone || undone.kind === "answer") return;
  showToast({ text: `Took back ${WORDS[undone.kind] ?? "it"}`, tone: "done", action: REDO });
}

/** That nothing is left to undo or redo is no fault. */
export function complainOrEnd(error: unknown): void {
  if (error instanceof Refused && error.status === 409) say("There is nothing to take back");
  else complain(error);
}

function settle(done: Answered, text: string, again: { label: string; run: () => void }): void {
  publish("changed", { seq: done.seq });
  publish("next", done.next);
  showToast({ text, tone: "done", action: again });
}

export async function undo(): Promise<void> {
  try {
    const done = await api.undo();
    settle(done, `Took back ${WORDS[done.undone?.kind ?? ""] ?? "it"}`, REDO);
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
