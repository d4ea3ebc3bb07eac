// One question at a time: pictures large, the closest of their clusters below, the answers always in one place.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api, type Answered, type Conflict, type Item, type Next, type Progress, type Question, type Settings, type Value } from "./api";
import { keysOf, useKeys } from "./keys";
import { publish, useNews } from "./news";
import { preload, Zoom } from "./picture";
import { Answers, Board, Done, Side, Waiting, WhichIsBad, WORDS } from "./sides";
import { useSwipe } from "./swipe";
import { complain, complainOrEnd, onAnswered, tellUndone } from "./toast";

const GUARD_MS = 200; // a second press this soon after a question appeared was meant for the one before
const ALLOWED = { pair: ["same", "different", "unsure"], triplet: ["ab", "ac", "bc", "none", "unsure"] };
const PLACES: Record<string, number> = { ab: 0, ac: 1, bc: 2 };

interface Props {
  settings: Settings;
  stop?: Progress["stop"];
  blind?: boolean; // shows nothing of the clusters: the person is to judge by the pictures alone
}

export function QuestionView({ settings, stop, blind = false }: Props) {
  const kind = settings.kind ?? "pair";
  const [next, setNext] = useState<Next | null>(null);
  const [swapped, setSwapped] = useState(false);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [said, setSaid] = useState("");
  const [flash, setFlash] = useState("");
  const [busy, setBusy] = useState(false);
  const [board, setBoard] = useState(localStorage.getItem("board") === "on");
  const since = useRef(performance.now());
  const sending = useRef(false);
  const question = next && "items" in next ? next : null;

  const show = useCallback((found: Next) => {
    setNext(found);
    setSwapped(false);
    setZoomed(null);
    setChoosing(false);
    since.current = performance.now();
    if ("items" in found) preload(found.ahead ?? []);
  }, []);
  const load = useCallback(() => {
    api.question(kind).then(show, complain);
  }, [kind, show]);

  useEffect(load, [load]);
  useEffect(() => {
    onAnswered(show);
    return () => onAnswered(null);
  }, [show]);
  const look = () => {
    if (!question && !sending.current) load(); // something new was prepared, or read
  };
  useNews("question", look);
  useNews("clusters", () => {
    if (blind || !question?.items.some((item) => item.cluster === null)) return;
    // the company of its pictures is known now: added to the question, which stays
    api.question(kind).then((found) => setNext((now) => (isSame(now, found) ? found : now)), complain);
  });
  useNews("online", (online) => online && look());

  const send = async (what: string, action: string, run: () => Promise<Answered>) => {
    const tooSoon = action !== "undo" && performance.now() - since.current < GUARD_MS;
    if (sending.current || tooSoon) return;
    sending.current = true;
    setBusy(true);
    setFlash(action);
    try {
      const done = await run();
      setSaid(what);
      setConflict(done.conflict ?? null);
      show(done.next);
      publish("changed", { seq: done.seq });
      tellUndone(done);
    } catch (error) {
      if (action === "undo") return complainOrEnd(error);
      complain(error);
      load();
    } finally {
      sending.current = false;
      setBusy(false);
      setTimeout(() => setFlash(""), 160);
    }
  };

  const items = question ? order(question, swapped) : [];
  const leaveOut = (item: Item) => void send("Left out", "bad", () => api.bad(item.id));
  const act = (action: string) => {
    if (action === "undo") return void send("Taken back", action, () => api.undo());
    if (!question) return;
    if (action === "bad") return setChoosing((now) => !now);
    if (choosing) {
      const item = items[PLACES[action] ?? -1];
      if (item) leaveOut(item);
      return;
    }
    if (action === "swap") return setSwapped((now) => !now);
    if (action === "zoom") return setZoomed(0);
    if (!ALLOWED[question.kind].includes(action)) return;
    const form = answerOf(question, action as Value, swapped, performance.now() - since.current);
    void send(WORDS[action]!, action, () => api.answer(form));
  };

  const keys = useMemo(() => keysOf(settings), [settings]);
  const singleKeys = settings.single_keys !== false;
  useKeys(keys, singleKeys, act);
  useKeys(ESCAPE, choosing, () => setChoosing(false));
  const swipe = useSwipe(question?.kind === "pair" && !choosing, (side) => act(side === "left" ? "same" : "different"));
  const undo = () => act("undo");

  if (!next) return <p class="quiet loading" role="status">Looking for a question…</p>;
  if ("finished" in next) return <Done reason={next.finished.reason} onUndo={undo} alone={blind} />;
  if (!question) return <Waiting next={next as Exclude<Next, Question>} onUndo={undo} />;
  const asked = question.kind === "pair" ? "Same or different?" : "Which two belong together?";
  return (
    <section class={`question ${question.kind}`} aria-labelledby="asked" {...swipe.handlers}>
      <div class="asked">
        <h1 id="asked">{asked}</h1>
        <p class="quiet">
          Question {question.number.toLocaleString("en")}
          {question.reason && <> · {question.reason}</>}
        </p>
        {!blind && (
          <button class="small" aria-pressed={board} onClick={() => {
            localStorage.setItem("board", board ? "off" : "on");
            setBoard(!board);
          }}>
            Examples
          </button>
        )}
      </div>
      <p class="hidden" aria-live="polite">
        {`${said && `${said}. `}Question ${question.number}: ${asked} ${items.map((item) => item.name).join(", ")}`}
      </p>
      <div class="sides" key={question.id} style={{ "--lean": swipe.lean }}>
        {items.map((item, k) => (
          <Side key={item.id} item={item} alone={blind} letter={question.kind === "triplet" ? "ABC"[k]! : ""} onZoom={() => setZoomed(k)} />
        ))}
      </div>
      {board && !blind && <Board version={question.number} />}
      <Notes conflict={conflict} stop={stop} />
      {choosing ? (
        <WhichIsBad items={items} keys={keys} onBad={leaveOut} onCancel={() => setChoosing(false)} />
      ) : (
        <Answers kind={question.kind} keys={keys} singleKeys={singleKeys} lean={swipe.lean} flash={flash} busy={busy} act={act} />
      )}
      {zoomed !== null && (
        <Zoom ids={items.map((item) => item.id)} names={items.map((item) => item.name)} at={zoomed} onClose={() => setZoomed(null)} />
      )}
    </section>
  );
}

const isSame = (a: Next | null, b: Next): boolean => a !== null && "items" in a && "items" in b && a.id === b.id;

const ESCAPE = { cancel: "Escape" };

// Swapping turns the pictures of a pair, not the answer; a triplet keeps its letters.
const order = (question: Question, swapped: boolean): Item[] =>
  swapped && question.kind === "pair" ? [...question.items].reverse() : question.items;

function answerOf(question: Question, value: Value, swapped: boolean, ms: number) {
  const closest = question.items.map((item) => item.cluster?.closest ?? []);
  const check = question.check ? { check: true } : {};
  return {
    kind: question.kind,
    items: question.items.map((item) => item.id),
    value,
    seconds: Math.round(ms) / 1000,
    shown: { swapped, reason: question.reason, closest, ...check },
  };
}

/** What is worth knowing beside the question: a contradiction just made, or that one may stop. */
function Notes({ conflict, stop }: { conflict: Conflict | null; stop?: Progress["stop"] }) {
  const [going, setGoing] = useState("");
  return (
    <div class="notes" role="status">
      {conflict && (
        <p class="note">
          That contradicts earlier answers. It is kept, and set aside until somebody decides. <a href="#/conflicts">Look at it</a>
        </p>
      )}
      {!conflict && stop?.hint && going !== stop.reason.replace(/\d+/g, "") && (
        <p class="note">
          You can stop here: {stop.reason}. <a href="#/clusters">Look at the clusters</a>{" "}
          <button class="small" onClick={() => setGoing(stop.reason.replace(/\d+/g, ""))}>
            Go on
          </button>
        </p>
      )}
    </div>
  );
}
