// The questions after a study: which of the two kinds of questions was easier, in five respects.
import { useRef, useState } from "preact/hooks";

const QUESTIONS: Record<string, string> = {
  performance: "With which questions are you more confident about your answers?",
  effort_per_query: "Which took you more effort, question by question?",
  overall_effort: "Which took you more effort, all of them together?",
  frustration: "With which did you feel more stressed or discouraged?",
  preference: "Which do you prefer in general?",
};

const CHOICES = [
  ["pair", "Two pictures"],
  ["triplet", "Three pictures"],
  ["neither", "No difference"],
] as const;

interface Props {
  asked: string[];
  onSend: (form: object) => Promise<void>;
  onBack: () => void;
}

export function Survey({ asked, onSend, onBack }: Props) {
  const [choices, setChoices] = useState<Record<string, string>>({});
  const [comment, setComment] = useState("");
  const [missing, setMissing] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const open = asked.find((question) => !choices[question]);
    setMissing(open ?? "");
    if (open) form.current?.querySelector<HTMLElement>(`input[name="${open}"]`)?.focus();
    else void onSend({ choices, comment });
  };
  return (
    <section class="page survey" aria-labelledby="survey">
      <h1 id="survey">How was it?</h1>
      <p>
        All questions are answered.{" "}
        {asked.length > 0 ? "Please compare the two kinds of questions." : "Please add what you want to say."}
      </p>
      <form ref={form} onSubmit={submit} noValidate>
        {asked.map((question) => (
          <Choice
            key={question}
            question={question}
            chosen={choices[question]}
            isMissing={missing === question}
            onChoose={(value) => setChoices({ ...choices, [question]: value })}
          />
        ))}
        <label class="field">
          Why? Anything else?
          <textarea
            rows={4}
            maxLength={10000}
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
        </label>
        <p class="row">
          <button type="submit" class="primary">
            Send
          </button>
          <button type="button" onClick={onBack}>
            Back to the last answer
          </button>
        </p>
      </form>
    </section>
  );
}

interface ChoiceProps {
  question: string;
  chosen: string | undefined;
  isMissing: boolean;
  onChoose: (value: string) => void;
}

function Choice({ question, chosen, isMissing, onChoose }: ChoiceProps) {
  return (
    <fieldset class="box" aria-describedby={isMissing ? "missing" : undefined}>
      <legend>{QUESTIONS[question]}</legend>
      <div class="options">
        {CHOICES.map(([value, label]) => (
          <label key={value} class="choice">
            <input
              type="radio"
              name={question}
              value={value}
              checked={chosen === value}
              onChange={() => onChoose(value)}
            />
            {label}
          </label>
        ))}
      </div>
      {isMissing && (
        <p id="missing" class="warning" role="alert">
          Please choose one.
        </p>
      )}
    </fieldset>
  );
}
