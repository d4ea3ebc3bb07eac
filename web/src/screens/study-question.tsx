// One question of a study; the time to the answer is measured.
import { useEffect, useState } from "preact/hooks";
import { picture } from "../api/routes";
import { ANSWERS } from "../api/schema";
import type { StudyKind, StudyQuestion, StudyState, StudyValue } from "../api/types";
import { AnswerButton, styleOf } from "../parts/answer-buttons";
import { letGo } from "../parts/focus";
import { useKeys } from "../parts/keys";
import { preload } from "../parts/picture";
import { ReferenceBoard } from "../parts/reference-board";
import { type AnswerTimer, useTimer } from "../parts/timer";
import { Zoom } from "../parts/zoom";
import { isTooSoon } from "../state/question";
import { keys, singleKeys } from "../state/settings";

const ASKED: Record<StudyKind, string> = {
  pair: "Do these pictures belong to the same class?",
  triplet: "Which two belong to the same class, the third to another?",
};

const WORDS: Record<StudyValue, string> = {
  same: "Same class",
  different: "Different classes",
  ab: "A and B",
  ac: "A and C",
  bc: "B and C",
  none: "Otherwise",
  unsure: "Not sure",
};

const NAMES: Record<StudyKind, string[]> = {
  pair: ["The first picture", "The second picture"],
  triplet: ["Picture A", "Picture B", "Picture C"],
};

interface AskingProps {
  question: StudyQuestion;
  study: StudyState;
  onAnswer: (form: object) => Promise<void>;
  onBack: () => Promise<void>;
}

export function StudyAsking({ question, study, onAnswer, onBack }: AskingProps) {
  const { kind, items, number, practice } = question;
  const [board, setBoard] = useState(study.board.length > 0 && localStorage.getItem("reference") !== "off");
  const [zoomed, setZoomed] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const timer = useTimer(items.length);
  useEffect(() => preload(study.ahead), [study.ahead]);

  const choices = ANSWERS[kind].filter((value) => value !== "unsure" || study.unsure);
  const act = async (action: string) => {
    if (busy || zoomed !== null) return;
    const value = choices.find((each) => each === action);
    if (action !== "undo" && (!value || isTooSoon(timer.since(), performance.now()))) return;
    if (action === "undo" && study.answered === 0) return;
    setBusy(true);
    await (value ? onAnswer({ number, items, value, ...timer.read() }) : onBack());
    setBusy(false);
  };
  useKeys(keys.value, singleKeys.value, (action) => (action === "zoom" ? setZoomed(0) : void act(action)));
  const toggleBoard = (event: MouseEvent) => {
    letGo(event);
    localStorage.setItem("reference", board ? "off" : "on");
    setBoard(!board);
  };
  const button = (action: string, label: string, style: string) => (
    <AnswerButton key={action} action={action} label={label} style={style} busy={busy} act={(each) => void act(each)} />
  );
  return (
    <section class={`question study ${kind}`} aria-labelledby="asked">
      <div class="asked">
        <h1 id="asked">{ASKED[kind]}</h1>
        <p class="quiet">{practice ? <span class="tag">practice</span> : ""}</p>
        {study.board.length > 0 && (
          <button type="button" class="small" aria-pressed={board} onClick={toggleBoard}>
            Examples
          </button>
        )}
      </div>
      <p class="hidden" aria-live="polite">
        {`Question ${number + 1} of ${study.total}${practice ? ", for practice" : ""}: ${ASKED[kind]}`}
      </p>
      <Pictures question={question} timer={timer} onZoom={setZoomed} />
      {board && <ReferenceBoard board={study.board} />}
      <fieldset class={`answers ${kind}`} aria-label="Answers">
        <div class="main">
          {choices.map((value) => button(value, WORDS[value], value === "unsure" ? "" : styleOf(value)))}
        </div>
        <div class="minor">{button("undo", "Undo", "")}</div>
      </fieldset>
      {zoomed !== null && <Zoom ids={items} names={NAMES[kind]} at={zoomed} onClose={() => setZoomed(null)} />}
    </section>
  );
}

interface PicturesProps {
  question: StudyQuestion;
  timer: AnswerTimer;
  onZoom: (picture: number) => void;
}

function Pictures({ question: { kind, items }, timer, onZoom }: PicturesProps) {
  return (
    <div class="sides">
      {items.map((id, k) => (
        <figure class="side" key={id}>
          <button
            type="button"
            class="frame"
            aria-label={`Enlarge: ${NAMES[kind][k]}`}
            onClick={(event) => {
              letGo(event);
              onZoom(k);
            }}
          >
            <img
              src={picture(id, "preview")}
              alt={NAMES[kind][k]}
              draggable={false}
              onLoad={timer.loaded}
              onError={timer.loaded}
            />
            {kind === "triplet" && <span class="letter">{"ABC"[k]}</span>}
          </button>
        </figure>
      ))}
    </div>
  );
}
