// Undo and redo: of the last thing this person did, or of any step by its number.
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Answered } from "../api/types";
import { publish } from "./news";
import { forgetTaps } from "./taps";
import { complain, showToast, type ToastAction } from "./toasts";
import { worded } from "./words";

const WORDS: Record<string, string> = {
  adjudicate: "a decision",
  answer: "an answer",
  gold: "gold pairs",
  bad: "a bad picture",
  check: "a grid check",
  confirm: "a confirmation",
  grid: "a grid",
  pick: "a choice of a group",
  group: "a group",
  merge: "a merge",
  move: "a move",
  name: "a name",
  open: "a tap taken back",
  reject: "a no",
  restore: "a picture taken in",
  split: "a split",
  tag: "a tag",
  unconfirm: "a confirmation",
  unstack: "a stack taken apart",
  withdraw: "a resolved conflict",
};

const UNDO: ToastAction = { label: "Undo", run: () => void undo() };
const REDO: ToastAction = { label: "Redo", run: () => void redo() };

/** Say that something was done, with an undo of the last step when it can be taken back. */
export function say(text: string, undoable = false): void {
  showToast({ text, tone: "done", actions: undoable ? [UNDO] : [] });
}

/** Say that some steps were made, with an undo of just these, and what else is offered. */
export function sayDone(text: string, steps: number[], offers: ToastAction[] = []): void {
  const back = { label: "Undo", run: () => void takeBack(steps, text) };
  showToast({ text, tone: "done", actions: [...offers, back] });
}

/** What was undone, in words. */
function wordsOf({ undone }: Answered): string {
  const what = undone?.payload.what ?? undone?.kind;
  return `Took back ${worded(WORDS[String(what)] ?? "it")}`;
}

/** Say what was undone, unless it was an answer: its question is there again. */
export function sayUndone(done: Answered): void {
  if (!done.undone) return;
  forgetTaps(done.undone.seq);
  if (!["answer", "grid", "pick"].includes(done.undone.kind))
    showToast({ text: wordsOf(done), tone: "done", actions: [REDO] });
}

/** That nothing is left to undo or redo is no fault. */
export function complainOrEnd(error: unknown): void {
  if (error instanceof Refused && error.status === 409) say("There is nothing to take back");
  else complain(error);
}

function settle(done: Answered, text: string, again: ToastAction): void {
  publish("changed", { seq: done.seq });
  publish("next", done.next);
  showToast({ text, tone: "done", actions: [again] });
}

export async function undo(): Promise<void> {
  try {
    const done = await api.undo();
    if (done.undone) forgetTaps(done.undone.seq);
    settle(done, wordsOf(done), REDO);
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

/** Whether a step is the last thing that this person did: taking it back is an undo then. */
const isLast = async (seq: number): Promise<boolean> =>
  (await api.steps(20)).steps.find((step) => step.mine && step.in_force)?.seq === seq;

/** Take one step back; gives what was stored. */
async function takeOneBack(seq: number): Promise<number> {
  const done = (await isLast(seq)) ? await api.undo() : await api.takeBack(seq);
  forgetTaps(seq);
  return done.seq;
}

async function takeOneAgain(seq: number): Promise<number> {
  return (await api.doAgain(seq)).seq;
}

/** Do something with each step, then show the question that is due; the number of what was stored last, or 0. */
async function eachStep(steps: number[], run: (seq: number) => Promise<number>): Promise<number> {
  try {
    let stored = 0;
    for (const seq of steps) stored = await run(seq);
    publish("changed", { seq: stored });
    publish("next", await api.question());
    return stored;
  } catch (error) {
    complain(error);
    return 0;
  }
}

/** Take steps back, whichever they are; whether it was done. */
export async function takeBack(steps: number[], text: string): Promise<boolean> {
  const stored = await eachStep(
    [...steps].sort((a, b) => b - a),
    takeOneBack,
  );
  if (!stored) return false;
  const again = { label: "Redo", run: () => void doAgain(steps, text) };
  showToast({ text: `Took back: ${text}`, tone: "done", actions: [again] });
  return true;
}

/** Do steps again that were taken back; whether it was done. */
export async function doAgain(steps: number[], text: string): Promise<boolean> {
  const stored = await eachStep(
    [...steps].sort((a, b) => a - b),
    takeOneAgain,
  );
  if (stored) sayDone(`Done again: ${text}`, steps);
  return stored > 0;
}
