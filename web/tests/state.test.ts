// The reducers of the page: pure functions, tested without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../src/api/refused";
import { isFinal, waitBefore } from "../src/api/retry";
import type { Conflict, Next, Project, Question } from "../src/api/types";
import { onlyChoices } from "../src/state/change";
import { fromMarks, groupingOf, membersOf, NO_GROUP, numbersOf } from "../src/state/grouping";
import { answerOf, isTooSoon, NO_QUESTION, reduceQuestion, shownItems } from "../src/state/question";
import { NOTHING_SELECTED, reduceSelection } from "../src/state/selection";
import { NOTHING_LOADED, reduceSession } from "../src/state/session";
import { createStore } from "../src/state/store";
import { NO_TOASTS, reduceToasts } from "../src/state/toasts";
import { reduceViewport, WHOLE_MAP } from "../src/state/viewport";

const item = (id: number) => ({ id, name: `${id}.jpg`, width: null, height: null, cluster: null });

const question = (id: string, kind: Question["kind"] = "pair"): Question => ({
  id,
  kind,
  items: (kind === "pair" ? [1, 2] : [1, 2, 3]).map(item),
  reason: "",
  number: 1,
  check: false,
  ahead: [],
});

test("a store changes only through its reducer", () => {
  const { state, dispatch } = createStore((n: number, by: number) => n + by, 1);
  dispatch(2);
  assert.equal(state.value, 3);
});

test("a question that is shown begins anew, and keeps what was said", () => {
  const before = { ...NO_QUESTION, swapped: true, zoomed: 1, choosing: true, said: "Same" };
  const now = reduceQuestion(before, { type: "shown", next: question("a"), at: 7 });
  assert.deepEqual(now, { ...NO_QUESTION, next: question("a"), since: 7, said: "Same" });
});

test("what is known later completes the same question only", () => {
  const shown = reduceQuestion(NO_QUESTION, { type: "shown", next: question("a"), at: 0 });
  const completed: Next = { ...question("a"), reason: "because" };
  assert.equal(reduceQuestion(shown, { type: "completed", next: completed }).next, completed);
  assert.equal(reduceQuestion(shown, { type: "completed", next: question("b") }), shown);
});

test("an answer is sent once, and the button lights up until it fades", () => {
  const sending = reduceQuestion(NO_QUESTION, { type: "sending", action: "same" });
  assert.deepEqual([sending.busy, sending.flash], [true, "same"]);
  const sent = reduceQuestion(sending, { type: "sent" });
  assert.deepEqual([sent.busy, sent.flash], [false, "same"]);
  assert.equal(reduceQuestion(sent, { type: "faded" }).flash, "");
});

test("swapping turns the pictures of a pair and neither a triplet nor the answer", () => {
  const ids = (kind: Question["kind"]) => shownItems(question("a", kind), true).map(({ id }) => id);
  assert.deepEqual(ids("pair"), [2, 1]);
  assert.deepEqual(ids("triplet"), [1, 2, 3]);
  const form = answerOf(question("a"), "same", true, 1234.4);
  assert.deepEqual([form.items, form.seconds], [[1, 2], 1.234]);
});

test("a press just after a question appeared was meant for the one before", () => {
  assert.ok(isTooSoon(1000, 1199));
  assert.ok(!isTooSoon(1000, 1200));
  assert.ok(isTooSoon(Number.POSITIVE_INFINITY, 1e9));
});

test("pictures are selected one by one, by rows, and not at all", () => {
  const one = reduceSelection(NOTHING_SELECTED, { type: "toggled", id: 5, index: 2 });
  assert.deepEqual([[...one.chosen], one.anchor], [[5], 2]);
  const row = reduceSelection(one, { type: "added", ids: [5, 6, 7], index: 4 });
  assert.deepEqual([[...row.chosen], row.anchor], [[5, 6, 7], 4]);
  assert.deepEqual([...reduceSelection(row, { type: "toggled", id: 6, index: 3 }).chosen], [5, 7]);
  assert.equal(reduceSelection(row, { type: "cleared" }), NOTHING_SELECTED);
  assert.deepEqual([...one.chosen], [5], "what was there is not changed");
});

test("settings that were chosen hold before the server has them", () => {
  const project = { settings: { strategy: "auto", single_keys: true } } as unknown as Project;
  const loaded = reduceSession(NOTHING_LOADED, { type: "project", project });
  const chosen = reduceSession(loaded, { type: "settings", changes: { single_keys: false } });
  assert.deepEqual(chosen.project?.settings, { strategy: "auto", single_keys: false });
  assert.equal(reduceSession(NOTHING_LOADED, { type: "settings", changes: {} }).project, null);
  const again = reduceSession(chosen, { type: "project", project });
  assert.deepEqual(again.project?.settings, { strategy: "auto", single_keys: false }, "also over an older reply");
  const answered = reduceSession(again, { type: "settings-answered", changes: { single_keys: false } });
  assert.deepEqual(reduceSession(answered, { type: "project", project }).project?.settings, project.settings);
});

test("three messages at most, none of them twice", () => {
  const say = (state: typeof NO_TOASTS, text: string) =>
    reduceToasts(state, { type: "shown", toast: { text, tone: "done" } });
  const state = ["a", "b", "a", "c", "d"].reduce(say, NO_TOASTS);
  assert.deepEqual(
    state.toasts.map(({ text }) => text),
    ["a", "c", "d"],
  );
  const closed = reduceToasts(state, { type: "closed", id: state.lastId });
  assert.deepEqual(
    closed.toasts.map(({ text }) => text),
    ["a", "c"],
  );
});

test("the map keeps the point under the pointer, and is whole at its smallest", () => {
  const near = reduceViewport(WHOLE_MAP, { type: "zoomed", factor: 2, x: 100, y: 50 });
  assert.deepEqual(near, { zoom: 2, x: -100, y: -50 });
  assert.deepEqual(reduceViewport(near, { type: "moved", dx: 5, dy: 6 }), { zoom: 2, x: -95, y: -44 });
  assert.equal(reduceViewport(near, { type: "zoomed", factor: 0.1, x: 0, y: 0 }), WHOLE_MAP);
  assert.equal(reduceViewport(near, { type: "reset" }), WHOLE_MAP);
});

test("groups are numbered without gaps, in the order of their numbers", () => {
  const items = [1, 2, 3, 4];
  const reduce = groupingOf(items);
  const start = {
    groups: fromMarks({ 1: ["2"], 2: ["2"], 3: ["1"], 4: [] }),
    selected: new Set<number>(),
    moved: null,
  };
  assert.deepEqual(start.groups, { 1: 2, 2: 2, 3: 1 });
  const out = reduce(start, { type: "put", ids: [3], group: NO_GROUP });
  assert.deepEqual(out.groups, { 1: 1, 2: 1 });
  assert.deepEqual(numbersOf(out.groups), [1]);
  assert.deepEqual(membersOf(items, out.groups, NO_GROUP), [3, 4]);
  assert.equal(reduce(start, { type: "put", ids: [], group: 1 }), start);
});

test("where only one answer can be taken back, it is chosen already", () => {
  const said = (...seqs: number[]) => ({ chain: seqs.map((seq) => ({ seq })) }) as unknown as Conflict;
  assert.deepEqual(onlyChoices([said(3, 0), said(3, 4), said(5, 5)]), { 0: 3, 2: 5 });
});

test("a keyed write is sent again until it is answered; what is refused is not", () => {
  const away = new TypeError("Failed to fetch");
  assert.ok(!isFinal(away, 1000, true), "kept as long as the page is open");
  assert.ok(isFinal(away, 40, false));
  assert.ok(isFinal(new Refused(409, "it contradicts"), 1, true));
  assert.ok(!isFinal(new Refused(503, "the store is busy"), 1, true));
  assert.ok(isFinal(new Refused(503, "the store is busy"), 40, true));
  assert.deepEqual([1, 2, 5, 50].map(waitBefore), [250, 500, 4000, 4000]);
});
