// What is asked, in the owner's words: shown to everybody on every form.
import { useState } from "preact/hooks";
import type { Settings } from "../api/types";
import { Icon } from "../parts/icons";
import { Picture } from "../parts/picture";
import { capital, stressed } from "../parts/prompt";
import { worded } from "../state/words";

type Example = NonNullable<Settings["examples"]>[number];
type Keep = (changes: Partial<Settings>, words?: string) => void;

export function PromptSettings({ settings, onKeep }: { settings: Settings; onKeep: Keep }) {
  const { prompt = "", instruction = "", examples = [] } = settings;
  return (
    <section class="box" aria-labelledby="meaning">
      <h2 id="meaning">What is asked</h2>
      <TextSetting
        label="The question"
        value={prompt}
        most={100}
        placeholder="the same *species*?"
        onKeep={(text) => onKeep({ prompt: text }, "Everybody is asked in these words")}
      />
      <p class="quiet">
        {prompt ? <>Shown as: {stressed(capital(prompt))}</> : "Words between asterisks are stressed."}
      </p>
      <TextSetting
        label="A line of instruction"
        value={instruction}
        most={500}
        placeholder="What counts, and what does not"
        onKeep={(text) => onKeep({ instruction: text }, "Shown with every question")}
      />
      <Examples examples={examples} onKeep={(list, words) => onKeep({ examples: list }, words)} />
      <p class="quiet">All of it is shown on every form, and to the people you invite.</p>
    </section>
  );
}

interface TextProps {
  label: string;
  value: string;
  most: number;
  placeholder: string;
  onKeep: (text: string) => void;
}

function TextSetting({ label, value, most, placeholder, onKeep }: TextProps) {
  const [typed, setTyped] = useState(value);
  const done = () => {
    if (typed.trim() !== value) onKeep(typed.trim());
  };
  return (
    <label class="field">
      {label}
      <input
        value={typed}
        maxLength={most}
        placeholder={placeholder}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={done}
        onKeyDown={(event) => event.key === "Enter" && done()}
      />
    </label>
  );
}

interface ExamplesProps {
  examples: Example[];
  onKeep: (examples: Example[], words: string) => void;
}

const isNumber = (text: string): boolean => /^\d+$/.test(text.trim());

/** Pairs of pictures by their numbers, which the page of a cluster shows. */
function Examples({ examples, onKeep }: ExamplesProps) {
  const [typed, setTyped] = useState(["", ""]);
  const [value, setValue] = useState<Example["value"]>("same");
  const isReady = typed.every(isNumber) && Number(typed[0]) !== Number(typed[1]);
  const add = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    onKeep([...examples, { items: typed.map(Number), value }], "Example added");
    setTyped(["", ""]);
  };
  return (
    <form onSubmit={add} aria-label="Examples of same and different">
      <ul class="prompt-examples">
        {examples.map((example, k) => (
          <li key={k}>
            {example.items.map((id) => (
              <Picture key={id} id={id} alt={worded`Picture ${id}`} />
            ))}
            <span>{example.value === "same" ? "the same" : "different"}</span>
            <button
              type="button"
              class="icon small"
              aria-label={worded`Remove the example of pictures ${example.items.join(" and ")}`}
              onClick={() =>
                onKeep(
                  examples.filter((_, at) => at !== k),
                  "Example removed",
                )
              }
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <div class="row example-row">
        {["first", "second"].map((which, k) => (
          <label key={which} class="field">
            Number of the {which}
            {worded` picture`}
            <input
              inputMode="numeric"
              value={typed[k]}
              onInput={(event) => {
                const text = event.currentTarget.value;
                setTyped(typed.map((each, at) => (at === k ? text : each)));
              }}
            />
          </label>
        ))}
        <label class="field">
          They are
          <select value={value} onChange={(event) => setValue(event.currentTarget.value as Example["value"])}>
            <option value="same">the same</option>
            <option value="different">different</option>
          </select>
        </label>
        <button type="submit" aria-disabled={!isReady}>
          Add example
        </button>
      </div>
    </form>
  );
}
