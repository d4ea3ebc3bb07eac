// One question at a time: pictures large, the closest of their clusters below, the answers always in one place.
import { useState } from "preact/hooks";
import type { Conflict, Next, Progress, Question } from "../api/types";
import { AnswerButtons, WhichIsBad } from "../parts/answer-buttons";
import { askedOf } from "../parts/answers";
import { ExamplesBoard } from "../parts/examples-board";
import { useKeys } from "../parts/keys";
import { Loading } from "../parts/loading";
import { QuestionSide } from "../parts/question-side";
import { useSwipe } from "../parts/swipe";
import { Zoom } from "../parts/zoom";
import { type QuestionFlow, useQuestionFlow } from "../state/question-flow";
import { keys, singleKeys } from "../state/settings";
import { Done, Waiting } from "./question-pauses";

const ESCAPE = { cancel: "Escape" };

interface Props {
  stop?: Progress["stop"];
  blind?: boolean; // shows nothing of the clusters: the person is to judge by the pictures alone
}

export function QuestionView({ stop, blind = false }: Props) {
  const flow = useQuestionFlow(blind);
  const { state, question, act, dispatch } = flow;
  useKeys(keys.value, singleKeys.value, act);
  useKeys(ESCAPE, state.choosing, () => dispatch({ type: "choosing", on: false }));
  const undo = () => act("undo");
  if (!state.next) return <Loading what="Looking for a question…" />;
  if ("finished" in state.next) return <Done reason={state.next.finished.reason} onUndo={undo} blind={blind} />;
  if (!question) return <Waiting next={state.next as Exclude<Next, Question>} onUndo={undo} />;
  return <Asking flow={flow} question={question} stop={stop} blind={blind} />;
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
  const asked = askedOf(question);
  return (
    <section class={`question ${kind}`} aria-labelledby="asked" {...swipe.handlers}>
      <div class="asked">
        <h1 id="asked">{asked}</h1>
        <p class="quiet">
          Question {question.number.toLocaleString("en")}
          {question.reason && <> · {question.reason}</>}
        </p>
        {!blind && (
          <button type="button" class="small" aria-pressed={board} onClick={toggleBoard}>
            Examples
          </button>
        )}
      </div>
      <p class="hidden" aria-live="polite">
        {`${state.said && `${state.said}. `}Question ${question.number}: ${asked} ${names.join(", ")}`}
      </p>
      <div class="sides" key={question.id} style={{ "--lean": swipe.lean }}>
        {items.map((item, k) => (
          <QuestionSide
            key={item.id}
            item={item}
            blind={blind}
            letter={kind === "triplet" ? (LETTERS[k] ?? "") : ""}
            onZoom={() => dispatch({ type: "zoomed", picture: k })}
          />
        ))}
      </div>
      {board && !blind && <ExamplesBoard version={question.number} />}
      <Notes conflict={state.conflict} stop={stop} />
      {state.choosing ? (
        <WhichIsBad items={items} onBad={leaveOut} onCancel={() => dispatch({ type: "choosing", on: false })} />
      ) : (
        <AnswerButtons kind={kind} lean={swipe.lean} flash={state.flash} busy={state.busy} act={act} />
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
          You can stop here: {stop.reason}. <a href="#/clusters">Look at the clusters</a>{" "}
          <button type="button" class="small" onClick={() => setDismissed(reason)}>
            Go on
          </button>
        </p>
      )}
    </div>
  );
}
