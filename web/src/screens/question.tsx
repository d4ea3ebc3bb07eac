// One question at a time: pictures large, the closest of their clusters below, the answers always in one place.
import { useState } from "preact/hooks";
import type { Conflict, Next, Progress, Question } from "../api/types";
import { AnswerButtons, WhichIsBad, WhichOfScreen } from "../parts/answer-buttons";
import { askedOf, isScreen, PICTURE_ACTIONS, TO_DO } from "../parts/answers";
import { ExamplesBoard } from "../parts/examples-board";
import { letGo } from "../parts/focus";
import { GroupPresses } from "../parts/group-presses";
import { keyName, useKeys } from "../parts/keys";
import { Loading } from "../parts/loading";
import { inPhotographs } from "../parts/photograph";
import { capital, PromptLine, stressed } from "../parts/prompt";
import { QuestionSide } from "../parts/question-side";
import { ScreenGrid } from "../parts/screen-grid";
import { screenKeys } from "../parts/screen-keys";
import { ScreenPick } from "../parts/screen-pick";
import { useSwipe } from "../parts/swipe";
import { Zoom } from "../parts/zoom";
import type { QuestionState } from "../state/question";
import { type QuestionFlow, useQuestionFlow } from "../state/question-flow";
import { project } from "../state/session";
import { keys, singleKeys } from "../state/settings";
import { ofFaces, worded } from "../state/words";
import { Done, Waiting } from "./question-pauses";

const ESCAPE = { cancel: "Escape" };

interface Props {
  stop?: Progress["stop"];
  blind?: boolean; // shows nothing of the clusters: the person is to judge by the pictures alone
}

export function QuestionView({ stop, blind = false }: Props) {
  const flow = useQuestionFlow(blind);
  const { state, question, act, dispatch } = flow;
  useKeys(keysFor(question), singleKeys.value, act);
  useKeys(ESCAPE, state.choosing, () => dispatch({ type: "choosing", on: false }));
  const undo = () => act("undo");
  if (!state.next) return <Loading what="Looking for a question…" />;
  if ("finished" in state.next) return <Done reason={state.next.finished.reason} onUndo={undo} blind={blind} />;
  if (!question) return <Waiting next={state.next as Exclude<Next, Question>} onUndo={undo} />;
  return <Asking flow={flow} question={question} stop={stop} blind={blind} />;
}

/** The keys of the answers: on a screen of many, figures mean its pictures; what is about groups has its own place. */
function keysFor(question: Question | null): Record<string, string> {
  const { complete: _, one: __, ...answers } = keys.value;
  if (!question || !isScreen(question.kind)) return answers;
  return Object.fromEntries(Object.entries(answers).filter(([action]) => !PICTURE_ACTIONS.includes(action)));
}

interface AskingProps extends Props {
  flow: QuestionFlow;
  question: Question;
}

function Asking({ flow, question, stop, blind }: AskingProps) {
  const { state, items, act, dispatch, leaveOut } = flow;
  const { kind } = question;
  const [board, setBoard] = useState(localStorage.getItem("board") === "on");
  const swipe = useSwipe(kind === "pair" && !state.choosing, (side) => act(side === "left" ? "same" : "different"));
  const toggleBoard = () => {
    localStorage.setItem("board", board ? "off" : "on");
    setBoard(!board);
  };
  const names = items.map((item) => item.name);
  const Which = isScreen(kind) ? WhichOfScreen : WhichIsBad;
  return (
    <section
      class={`question ${isScreen(kind) ? "many" : kind}`}
      data-form={kind}
      aria-labelledby="asked"
      {...swipe.handlers}
    >
      <Head question={question} blind={blind} board={board} onBoard={toggleBoard} />
      <p class="hidden" aria-live="polite">
        {spoken(state, question, names)}
      </p>
      <Pictures flow={flow} question={question} lean={swipe.lean} blind={blind} />
      {board && !blind && <ExamplesBoard version={question.number} />}
      <Notes conflict={state.conflict} stop={stop} />
      {state.choosing ? (
        <Which items={items} onBad={leaveOut} onCancel={() => dispatch({ type: "choosing", on: false })} />
      ) : (
        <AnswerButtons
          kind={kind}
          lean={swipe.lean}
          flash={state.flash}
          busy={state.busy}
          act={act}
          send={{ marked: state.marked.size, run: flow.sendMarked }}
        />
      )}
      {state.zoomed !== null && (
        <Zoom
          ids={items.map((item) => item.id)}
          names={names}
          at={state.zoomed}
          onClose={() => dispatch({ type: "zoomed", picture: null })}
        />
      )}
    </section>
  );
}

const LETTERS = ["A", "B", "C"];

/** What is read aloud when a question appears, and when something is marked on it. */
function spoken({ said, marked }: QuestionState, question: Question, names: string[]): string {
  const { kind, number } = question;
  const about = isScreen(kind)
    ? `${names.length - 1} ${worded(kind === "grid" ? "pictures" : "groups")}. ${worded(TO_DO[kind])}`
    : names.join(", ");
  const count = marked.size ? ` ${marked.size} marked.` : "";
  return `${said && `${said}. `}Question ${number}: ${askedOf(question)} ${about}${count}`;
}

interface HeadProps {
  question: Question;
  blind?: boolean;
  board: boolean;
  onBoard: () => void;
}

/** What is asked, the number of the question and why, and what is one press away on every form. */
function Head({ question, blind, board, onBoard }: HeadProps) {
  const { kind, number, reason, prompt = "" } = question;
  return (
    <div>
      <div class="asked">
        <h1 id="asked">{kind === "pair" && prompt ? stressed(capital(prompt)) : askedOf(question)}</h1>
        <p class="quiet">
          Question {number.toLocaleString("en")}
          {reason && <> · {reason}</>}
        </p>
        {!blind && (
          <span class="head-tools">
            <GroupPresses question={question} />
            {ofFaces.value && !isScreen(kind) && <PhotographsButton />}
            <button type="button" class="small" aria-pressed={board} onClick={onBoard}>
              Examples
            </button>
          </span>
        )}
      </div>
      {TO_DO[kind] && <p class="to-do">{worded(TO_DO[kind])}</p>}
      <PromptLine prompt={kind === "pair" ? "" : prompt} settings={project.value?.settings} />
    </div>
  );
}

/** Shows the whole photographs in place of the faces. */
function PhotographsButton() {
  return (
    <button
      type="button"
      class="small"
      aria-pressed={inPhotographs.value}
      onClick={(event) => {
        letGo(event);
        inPhotographs.value = !inPhotographs.value;
      }}
    >
      Photos {singleKeys.value && <kbd>{keyName(keys.value.photo ?? "")}</kbd>}
    </button>
  );
}

interface PicturesProps {
  flow: QuestionFlow;
  question: Question;
  lean: number;
  blind?: boolean;
}

/** The pictures, as the form wants them: side by side, on a grid, or one beside the groups. */
function Pictures({ flow, question: { id, kind }, lean, blind = false }: PicturesProps) {
  const { state, items, dispatch, press, sendMarked, leaveOut } = flow;
  const zoom = (picture: number) => dispatch({ type: "zoomed", picture });
  const labels = screenKeys(items.length - 1, keys.value);
  const shared = { items, labels, single: singleKeys.value, blind };
  if (kind === "grid") {
    const { marked, choosing } = state;
    return <ScreenGrid key={id} {...shared} marked={marked} choosing={choosing} onTile={press} onSend={sendMarked} />;
  }
  if (kind === "pick") return <ScreenPick key={id} {...shared} onZoom={() => zoom(0)} onGroup={press} />;
  return (
    <div class="sides" key={id} style={{ "--lean": lean }}>
      {items.map((item, k) => (
        <QuestionSide
          key={item.id}
          item={item}
          blind={blind}
          letter={kind === "triplet" ? (LETTERS[k] ?? "") : ""}
          onZoom={() => zoom(k)}
          onBad={() => leaveOut(item)}
        />
      ))}
    </div>
  );
}

/** What is worth knowing beside the question: a contradiction just made, or that one may stop. */
function Notes({ conflict, stop }: { conflict: Conflict | null; stop?: Progress["stop"] }) {
  const [dismissed, setDismissed] = useState("");
  const reason = stop?.reason.replace(/\d+/g, "") ?? "";
  return (
    <div class="notes" role="status">
      {conflict && (
        <p class="note">
          That contradicts earlier answers. It is kept, and set aside until somebody decides.{" "}
          <a href="#/conflicts">Look at it</a>
        </p>
      )}
      {!conflict && stop?.hint && dismissed !== reason && (
        <p class="note">
          You can stop here: {stop.reason}. <a href="#/finish">{worded`Name and confirm the groups`}</a>{" "}
          <button type="button" class="small" onClick={() => setDismissed(reason)}>
            Go on
          </button>
        </p>
      )}
    </div>
  );
}
