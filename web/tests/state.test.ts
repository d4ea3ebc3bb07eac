// The reducers of the page: pure functions, tested without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../src/api/refused";
import { isFinal, waitBefore } from "../src/api/retry";
import type { Conflict, Next, Project, Question } from "../src/api/types";
import { askedOf } from "../src/parts/answers";
import { hueOf } from "../src/parts/group-mark";
import { PagedList } from "../src/parts/paged-list";
import { openIn } from "../src/parts/text";
import { onlyChoices } from "../src/state/change";
import { fromMarks, groupingOf, membersOf, NO_GROUP, numbersOf } from "../src/state/grouping";
import { answerOf, isTooSoon, NO_QUESTION, reduceQuestion, shownItems } from "../src/state/question";
import { NOTHING_SELECTED, reduceSelection } from "../src/state/selection";
import { NOTHING_LOADED, reduceSession } from "../src/state/session";
import { createStore } from "../src/state/store";
import { forgetTap, forgetTaps, lastTaps, rememberTaps } from "../src/state/taps";
import { NO_TOASTS, reduceToasts, stayOf } from "../src/state/toasts";
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

test("the same question loaded once more goes on as it was", () => {
  const shown = reduceQuestion(NO_QUESTION, { type: "shown", next: question("a", "grid"), at: 3 });
  const marked = reduceQuestion({ ...shown, choosing: true }, { type: "marked", item: 2 });
  const loaded: Next = { ...question("a", "grid"), number: 2 };
  assert.deepEqual(reduceQuestion(marked, { type: "shown", next: loaded, at: 900 }), { ...marked, next: loaded });
  const given = reduceQuestion(marked, { type: "shown", next: loaded, at: 900, marked: [3] });
  assert.deepEqual([...given.marked], [3]);
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

test("only where one question followed another can a press be too soon", () => {
  const first = reduceQuestion(NO_QUESTION, { type: "shown", next: question("a"), at: 1000 });
  assert.ok(!isTooSoon(first.gaveWay, 1001)); // nothing was there before that one could have meant
  const second = reduceQuestion(first, { type: "shown", next: question("b"), at: 2000 });
  assert.ok(isTooSoon(second.gaveWay, 2100));
  const waiting: Next = { waiting: "engine" } as unknown as Next;
  const third = reduceQuestion(reduceQuestion(first, { type: "shown", next: waiting, at: 3000 }), {
    type: "shown",
    next: question("c"),
    at: 3050,
  });
  assert.ok(isTooSoon(third.gaveWay, 3100) && !isTooSoon(third.gaveWay, 3200));
});

test("what was asked before a reload and comes after it does not count, nor does the number of its pictures", async () => {
  const answers: ((pictures: number) => void)[] = [];
  const fetchPage = () =>
    new Promise<{ total: number; rows: string[]; pictures: number }>((resolve) =>
      answers.push((pictures) => resolve({ total: 1, rows: [`${pictures}`], pictures })),
    );
  const list = new PagedList<string>(60, fetchPage, () => undefined);
  const [old, now] = [list.reload(), list.reload()];
  answers[1]?.(7);
  await now;
  answers[0]?.(8);
  await old;
  assert.deepEqual([list.pictures, list.total, list.at(0)], [7, 1, "7"]);
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

test("what was done takes the place of what was done before; of what went wrong three at most, none twice", () => {
  const say = (tone: "done" | "wrong") => (state: typeof NO_TOASTS, text: string) =>
    reduceToasts(state, { type: "shown", toast: { text, tone } });
  const textsOf = ({ toasts }: typeof NO_TOASTS) => toasts.map(({ text }) => text);
  const state = ["a", "b", "a", "c", "d"].reduce(say("wrong"), NO_TOASTS);
  assert.deepEqual(textsOf(state), ["a", "c", "d"]);
  assert.deepEqual(textsOf(reduceToasts(state, { type: "closed", id: state.lastId })), ["a", "c"]);
  assert.deepEqual(textsOf(["x", "y"].reduce(say("done"), state)), ["c", "d", "y"]);
});

test("messages go away, what offers something later", () => {
  const run = () => undefined;
  const undo = { label: "Undo", run };
  const stays = [
    stayOf({ text: "", tone: "done", actions: [undo] }),
    stayOf({ text: "", tone: "done", actions: [undo, undo] }),
    stayOf({ text: "", tone: "wrong" }),
  ];
  assert.deepEqual(
    stays,
    [...stays].sort((a, b) => a - b),
  );
  assert.ok(stays.every(Number.isFinite));
});

test("the question is about the pictures and groups that are shown", () => {
  const asked = (...sizes: [id: number, size: number][]) =>
    askedOf({
      ...question("a"),
      items: sizes.map(([id, size], k) => ({ ...item(k), cluster: { id, size, name: "", closest: [] } })),
    });
  assert.equal(asked([1, 1], [2, 1]), "Are these two the same?");
  assert.equal(asked([1, 1], [2, 9]), "Is this picture one of this group?");
  assert.equal(asked([1, 9], [2, 1]), "Is this picture one of this group?");
  assert.equal(asked([1, 3], [2, 9]), "Are these two groups the same?");
  assert.equal(asked([1, 3], [1, 3]), "Do these two belong together?");
  assert.equal(askedOf(question("a")), "Same or different?", "where the clusters are not known, or not to be");
  assert.equal(askedOf(question("a", "triplet")), "Which two belong together?");
});

test("a group is settled when it is confirmed, or nothing of it is open", () => {
  assert.equal(openIn({ size: 5, n_settled: 2, confirmed: false }), 3);
  assert.equal(openIn({ size: 5, n_settled: 5, confirmed: false }), 0);
  assert.equal(openIn({ size: 5, n_settled: 2, confirmed: true }), 0);
});

test("the colour goes with the number", () => {
  assert.equal(hueOf(7), hueOf(7));
  assert.equal(new Set(Array.from({ length: 50 }, (_, id) => hueOf(id))).size, 50);
});

test("taps of a grid that was taken back are forgotten, others not", () => {
  rememberTaps([{ seq: 1, cluster: 5, item: 10 }]);
  rememberTaps([2, 3].map((item) => ({ seq: 2, cluster: 5, item })));
  forgetTaps(1);
  assert.deepEqual(
    lastTaps.value.map(({ item }) => item),
    [2, 3],
  );
  const [first] = lastTaps.value;
  if (first) forgetTap(first);
  assert.deepEqual(
    lastTaps.value.map(({ item }) => item),
    [3],
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
