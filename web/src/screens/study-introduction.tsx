// What a study is about, and the announcement of each part.
import type { StudyQuestion, StudyState } from "../api/types";
import { useKeys } from "../parts/keys";
import { Start } from "../parts/participant-frame";
import { ReferenceBoard } from "../parts/reference-board";
import { count } from "../parts/text";

export function Introduction({ study: now, onBegin }: { study: StudyState; onBegin: () => void }) {
  const forms = [
    now.pairs > 0 && `${count(now.pairs, "question")} with two pictures: do they belong to the same class?`,
    now.triplets > 0 &&
      `${count(now.triplets, "question")} with three pictures: which two belong to the same class, different from that of the third? If no two do, or all three do, the answer is “otherwise”.`,
  ].filter(Boolean);
  return (
    <section class="page" aria-labelledby="intro">
      <h1 id="intro">Which pictures belong together?</h1>
      {now.introduction ? (
        now.introduction.split(/\n\s*\n/).map((text, k) => <p key={k}>{text}</p>)
      ) : (
        <p>
          You will be shown pictures and asked which of them are of the same class. There is no time limit, but the time
          you take is recorded; answer as soon as you are sure.
        </p>
      )}
      <ul class="dots">
        {forms.map((text, k) => (
          <li key={k}>{text}</li>
        ))}
        {now.practice > 0 && (
          <li>
            {now.practice === 1
              ? "The first question of each kind is for practice and does"
              : `The first ${now.practice} questions of each kind are for practice and do`}{" "}
            not count.
          </li>
        )}
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
export function Part({ question, study: now, onGo, onBack }: PartProps) {
  const pair = question.kind === "pair";
  useKeys(GO, true, onGo);
  return (
    <section class="centre" aria-live="polite">
      <h1>
        {question.practice ? "For practice: " : ""}
        {pair ? "two pictures" : "three pictures"}
      </h1>
      <p>
        {pair
          ? "Say whether they belong to the same class."
          : "Select the two that belong to the same class, different from that of the third. If there is no such pair, say “otherwise”."}
      </p>
      {now.answered > 0 && (
        <p class="quiet">
          You have answered {now.answered} of {now.total}.
        </p>
      )}
      <p class="row">
        <button type="button" class="primary" autofocus onClick={onGo}>
          I am ready <kbd>Enter</kbd>
        </button>
        {now.answered > 0 && (
          <button type="button" onClick={onBack}>
            Back to the last answer
          </button>
        )}
      </p>
    </section>
  );
}

const GO = { go: "Enter" };
