// A study: read what it is about, answer one question at a time, say what was easier. Times are taken here.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { entered, forgetName, Frame, NotHere, Start, Thanks } from "./alone";
import { annotator, api, get, picture, send, signed, type Settings, type Value } from "./api";
import { keyName, keysOf, shortcut, useKeys } from "./keys";
import { preload, Zoom } from "./picture";
import { Survey } from "./survey";
import { complain } from "./toast";
import { count, letGo, Loading } from "./ui";

const GUARD_MS = 200; // a second press this soon after a question appeared was meant for the one before

export interface StudyQuestion {
  number: number;
  kind: "pair" | "triplet";
  items: number[];
  practice: boolean;
}

export interface StudyState {
  study: string;
  state: "new" | "asking" | "survey" | "done";
  introduction: string;
  pairs: number;
  triplets: number;
  practice: number;
  unsure: boolean;
  board: { id: number; label: string }[];
  survey: string[];
  answered: number;
  total: number;
  question: StudyQuestion | null;
  ahead: number[];
}

const study = (name: string) => {
  const path = `study/${encodeURIComponent(name)}`;
  return {
    state: () => get<StudyState>(`${path}?annotator=${encodeURIComponent(annotator())}`),
    begin: () => send<StudyState>(`${path}/begin`, signed({})),
    answer: (form: object) => send<StudyState>(`${path}/answers`, signed(form)),
    back: () => send<StudyState>(`${path}/back`, signed({})),
    survey: (form: object) => send<StudyState>(`${path}/survey`, signed(form)),
  };
};

export function StudyPage({ name }: { name: string }) {
  const calls = useMemo(() => study(name), [name]);
  const [now, setNow] = useState<StudyState | null>(null);
  const [wrong, setWrong] = useState<unknown>(null);
  const [settings, setSettings] = useState<Settings | undefined>(undefined);
  const [ready, setReady] = useState(""); // the part of the study that was announced
  const load = useCallback(() => entered.then(calls.state).then(setNow, setWrong), [calls]);
  useEffect(() => {
    void load();
    api.project().then((project) => setSettings(project.settings), () => undefined);
  }, [load]);

  const run = async (what: () => Promise<StudyState>) => {
    try {
      setNow(await what());
    } catch (error) {
      complain(error);
      await load();
    }
  };
  if (wrong !== null) return <Frame title="Study"><NotHere what="study" error={wrong} /></Frame>;
  if (!now) return <Frame title="Study"><Loading what="Opening the study…" /></Frame>;
  const other = () => {
    forgetName();
    setReady("");
    void load();
  };
  const { question } = now;
  const part = question ? `${question.kind} ${question.practice}` : "";
  return (
    <Frame title="Study" done={now.answered} total={now.total} onOther={now.state === "new" ? undefined : other}>
      {now.state === "new" && <Introduction study={now} onBegin={() => void run(calls.begin)} />}
      {question && ready !== part && <Part question={question} study={now} onGo={() => setReady(part)} onBack={() => void run(calls.back)} />}
      {question && ready === part && (
        <Asking
          key={question.number}
          question={question}
          study={now}
          settings={settings}
          onAnswer={(form) => run(() => calls.answer(form))}
          onBack={() => run(calls.back)}
        />
      )}
      {now.state === "survey" && <Survey asked={now.survey} onSend={(form) => run(() => calls.survey(form))} onBack={() => void run(calls.back)} />}
      {now.state === "done" && (
        <Thanks>
          <p>Your {count(now.answered, "answer")} and what you said afterwards are kept. You can close this page.</p>
        </Thanks>
      )}
    </Frame>
  );
}

function Introduction({ study: now, onBegin }: { study: StudyState; onBegin: () => void }) {
  const forms = [
    now.pairs > 0 && `${count(now.pairs, "question")} with two pictures: do they belong to the same class?`,
    now.triplets > 0 && `${count(now.triplets, "question")} with three pictures: which two belong to the same class, different from that of the third? If no two do, or all three do, the answer is “otherwise”.`,
  ].filter(Boolean);
  return (
    <section class="page" aria-labelledby="intro">
      <h1 id="intro">Which pictures belong together?</h1>
      {now.introduction
        ? now.introduction.split(/\n\s*\n/).map((text, k) => <p key={k}>{text}</p>)
        : <p>You will be shown pictures and asked which of them are of the same class. There is no time limit, but the time you take is recorded; answer as soon as you are sure.</p>}
      <ul class="dots">
        {forms.map((text, k) => <li key={k}>{text}</li>)}
        {now.practice > 0 && <li>{now.practice === 1 ? "The first question of each kind is for practice and does" : `The first ${now.practice} questions of each kind are for practice and do`} not count.</li>}
        <li>You can take an answer back. If you close the page, you go on later where you were.</li>
        {now.survey.length > 0 && <li>At the end there are five short questions about how it was.</li>}
      </ul>
      {now.board.length > 0 && (
        <>
          <h2>One example of each class</h2>
          <p class="quiet">They stay at hand while you answer.</p>
          <ReferenceBoard board={now.board} />
        </>
      )}
      <Start onBegin={onBegin} />
    </section>
  );
}

interface PartProps {
  question: StudyQuestion;
  study: StudyState;
  onGo: () => void;
  onBack: () => void;
}

/** Before a part, and after coming back: nothing is timed until the person is ready. */
function Part({ question, study: now, onGo, onBack }: PartProps) {
  const pair = question.kind === "pair";
  useKeys(GO, true, onGo);
  return (
    <section class="centre" aria-live="polite">
      <h1>{question.practice ? "For practice: " : ""}{pair ? "two pictures" : "three pictures"}</h1>
      <p>
        {pair
          ? "Say whether they belong to the same class."
          : "Select the two that belong to the same class, different from that of the third. If there is no such pair, say “otherwise”."}
      </p>
      {now.answered > 0 && <p class="quiet">You have answered {now.answered} of {now.total}.</p>}
      <p class="row">
        <button class="primary" autofocus onClick={onGo}>
          I am ready <kbd>Enter</kbd>
        </button>
        {now.answered > 0 && <button onClick={onBack}>Back to the last answer</button>}
      </p>
    </section>
  );
}

const GO = { go: "Enter" };

interface AskingProps {
  question: StudyQuestion;
  study: StudyState;
  settings?: Settings;
  onAnswer: (form: object) => Promise<void>;
  onBack: () => Promise<void>;
}

const CHOICES: Record<StudyQuestion["kind"], [Value, string, string][]> = {
  pair: [["same", "Same class", "answer same"], ["different", "Different classes", "answer different"]],
  triplet: [["ab", "A and B", "answer same"], ["ac", "A and C", "answer same"], ["bc", "B and C", "answer same"], ["none", "Otherwise", "answer different"]],
};

function Asking({ question, study: now, settings, onAnswer, onBack }: AskingProps) {
  const { kind, items, practice } = question;
  const [board, setBoard] = useState(now.board.length > 0 && localStorage.getItem("reference") !== "off");
  const [zoomed, setZoomed] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const timer = useTimer(items.length);
  useEffect(() => preload(now.ahead), [now.ahead]);

  const choices: [Value, string, string][] = now.unsure ? [...CHOICES[kind], ["unsure", "Not sure", ""]] : CHOICES[kind];
  const act = async (action: string) => {
    if (busy || zoomed !== null) return;
    const value = choices.find(([each]) => each === action)?.[0];
    if (action !== "undo" && (!value || timer.waited() < GUARD_MS)) return;
    if (action === "undo" && now.answered === 0) return;
    setBusy(true);
    await (value ? onAnswer({ number: question.number, items, value, ...timer.read() }) : onBack());
    setBusy(false);
  };
  const keys = useMemo(() => keysOf(settings), [settings]);
  const single = settings?.single_keys !== false;
  useKeys(keys, single, (action) => (action === "zoom" ? setZoomed(0) : void act(action)));
  const button = (action: string, label: string, style: string) => (
    <button key={action} class={style} aria-disabled={busy} aria-keyshortcuts={single ? shortcut(keys[action] ?? "") : undefined} onClick={(event) => (letGo(event), void act(action))}>
      <span>{label}</span>
      {single && <kbd>{keyName(keys[action] ?? "")}</kbd>}
    </button>
  );
  const asked = kind === "pair" ? "Do these pictures belong to the same class?" : "Which two belong to the same class, the third to another?";
  const letters = kind === "pair" ? ["", ""] : ["A", "B", "C"];
  const called = (k: number) => (letters[k] ? `Picture ${letters[k]}` : k === 0 ? "The first picture" : "The second picture");
  return (
    <section class={`question study ${kind}`} aria-labelledby="asked">
      <div class="asked">
        <h1 id="asked">{asked}</h1>
        <p class="quiet">{practice ? <span class="tag">practice</span> : ""}</p>
        {now.board.length > 0 && (
          <button
            class="small"
            aria-pressed={board}
            onClick={(event) => {
              letGo(event);
              localStorage.setItem("reference", board ? "off" : "on");
              setBoard(!board);
            }}
          >
            Examples
          </button>
        )}
      </div>
      <p class="hidden" aria-live="polite">{`Question ${question.number + 1} of ${now.total}${practice ? ", for practice" : ""}: ${asked}`}</p>
      <div class="sides">
        {items.map((id, k) => (
          <figure class="side" key={id}>
            <button class="frame" aria-label={`Enlarge: ${called(k)}`} onClick={(event) => (letGo(event), setZoomed(k))}>
              <img src={picture(id, "preview")} alt={called(k)} draggable={false} onLoad={timer.loaded} onError={timer.loaded} />
              {letters[k] && <span class="letter">{letters[k]}</span>}
            </button>
          </figure>
        ))}
      </div>
      {board && <ReferenceBoard board={now.board} />}
      <div class={`answers ${kind}`} role="group" aria-label="Answers">
        <div class="main">{choices.map(([value, label, style]) => button(value, label, style))}</div>
        <div class="minor">{button("undo", "Undo", "")}</div>
      </div>
      {zoomed !== null && <Zoom ids={items} names={items.map((_, k) => called(k))} at={zoomed} onClose={() => setZoomed(null)} />}
    </section>
  );
}

/** From the moment all pictures are there to the answer; time in which the page was out of sight is told beside it. */
function useTimer(pictures: number) {
  const state = useRef({ left: pictures, since: Infinity, away: 0, hidden: 0 });
  useEffect(() => {
    const turned = () => {
      const { current } = state;
      if (document.hidden) current.hidden = performance.now();
      else if (current.hidden) current.away += performance.now() - current.hidden;
    };
    document.addEventListener("visibilitychange", turned);
    return () => document.removeEventListener("visibilitychange", turned);
  }, []);
  const seconds = (ms: number) => Math.min(86_400, Math.round(ms) / 1000);
  return {
    loaded: () => {
      state.current.left -= 1;
      if (state.current.left === 0) state.current.since = performance.now();
    },
    waited: () => performance.now() - state.current.since,
    read: () => ({ seconds: seconds(performance.now() - state.current.since), shown: { away: seconds(state.current.away) } }),
  };
}

function ReferenceBoard({ board }: { board: StudyState["board"] }) {
  return (
    <ul class="board reference" aria-label="One example of each class" tabIndex={0}>
      {board.map(({ id, label }) => (
        <li key={id}>
          <img src={picture(id)} alt={`Example of ${label}`} draggable={false} />
          <bdi>{label}</bdi>
        </li>
      ))}
    </ul>
  );
}
