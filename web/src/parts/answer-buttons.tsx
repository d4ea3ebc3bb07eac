// The answers to a question as buttons, each with its key.
import type { Item, Kind, Value } from "../api/types";
import { keys, singleKeys } from "../state/settings";
import { worded } from "../state/words";
import { ANSWER_WORDS, ANSWERS, PICTURE_ACTIONS } from "./answers";
import { letGo } from "./focus";
import { keyName, shortcut } from "./keys";

interface ButtonProps {
  action: string;
  label: string;
  style?: string;
  busy: boolean;
  act: (action: string) => void;
}

export function AnswerButton({ action, label, style = "", busy, act }: ButtonProps) {
  const key = keys.value[action] ?? "";
  return (
    <button
      type="button"
      class={style}
      aria-disabled={busy}
      aria-keyshortcuts={singleKeys.value ? shortcut(key) : undefined}
      onClick={(event) => {
        letGo(event);
        act(action);
      }}
    >
      <span>{label}</span>
      {singleKeys.value && <kbd>{keyName(key)}</kbd>}
    </button>
  );
}

interface AnswersProps {
  kind: Kind;
  lean: number;
  flash: string;
  busy: boolean;
  act: (action: string) => void;
  /** Of a grid: sends it, and says how many are marked. */
  send?: { marked: number; run: () => void };
}

/** The colour of an answer: towards one group, or towards different ones. */
export const styleOf = (value: Value): string =>
  value === "different" || value === "none" ? "answer different" : "answer same";

export function AnswerButtons({ kind, lean, flash, busy, act, send }: AnswersProps) {
  const button = (action: string, label: string, style = "") => (
    <AnswerButton
      key={action}
      action={action}
      label={label}
      style={flash === action ? `${style} flash` : style}
      busy={busy}
      act={act}
    />
  );
  const swiped = (value: Value) => (kind === "pair" ? towards(value === "same" ? -lean : lean) : "");
  return (
    <fieldset class={`answers ${kind === "triplet" ? kind : ""}`} aria-label="Answers">
      <div class="main">
        {kind === "grid" && send && <SendButton {...send} flash={flash} busy={busy} />}
        {ANSWERS[kind]
          .filter((value) => !["unsure", "marked", "chosen"].includes(value))
          .map((value) => button(value, ANSWER_WORDS[value], styleOf(value) + swiped(value)))}
      </div>
      <div class="minor">
        {button("unsure", "Not sure")}
        {button("bad", worded`Bad picture`)}
        {button("undo", "Undo")}
        {kind === "pair" && button("swap", "Swap")}
      </div>
    </fieldset>
  );
}

function SendButton({ marked, run, flash, busy }: { marked: number; run: () => void; flash: string; busy: boolean }) {
  const style = `answer ${marked ? "different" : "same"}${flash === "marked" ? " flash" : ""}`;
  return (
    <button
      type="button"
      class={style}
      aria-disabled={busy}
      aria-keyshortcuts="Enter"
      onClick={(event) => {
        letGo(event);
        run();
      }}
    >
      <span>{marked ? `Send: ${marked} ${marked === 1 ? "does" : "do"} not belong` : "All belong"}</span>
      <kbd>Enter</kbd>
    </button>
  );
}

const towards = (lean: number): string => (lean >= 1 ? " reached" : lean > 0 ? " near" : "");

interface WhichProps {
  items: Item[];
  onBad: (item: Item) => void;
  onCancel: () => void;
}

/** The same on a screen of many: the picture itself is pressed. */
export function WhichOfScreen({ items: [first], onBad, onCancel }: WhichProps) {
  return (
    <fieldset class="answers which" aria-label={worded`Which picture is bad?`}>
      <p>{worded`Which picture is of no use? Press it, and it is left out and never asked about again.`}</p>
      <div class="main">
        {first && (
          <button type="button" class="answer" onClick={() => onBad(first)}>
            {worded`The first picture`}
          </button>
        )}
        <button type="button" class="answer" autofocus onClick={onCancel}>
          None <kbd>Esc</kbd>
        </button>
      </div>
    </fieldset>
  );
}

/** Asks which of the pictures is bad, over the answers. */
export function WhichIsBad({ items, onBad, onCancel }: WhichProps) {
  const names = items.length === 2 ? ["The first", "The second"] : ["A", "B", "C"];
  return (
    <fieldset class="answers which" aria-label={worded`Which picture is bad?`}>
      <p>{worded`Which picture is of no use? It is left out and never asked about again.`}</p>
      <div class="main">
        {items.map((item, k) => (
          <button type="button" key={item.id} class="answer" autofocus={k === 0} onClick={() => onBad(item)}>
            {names[k]} <kbd>{keyName(keys.value[PICTURE_ACTIONS[k] ?? ""] ?? "")}</kbd>
          </button>
        ))}
        <button type="button" class="answer" onClick={onCancel}>
          Neither <kbd>Esc</kbd>
        </button>
      </div>
    </fieldset>
  );
}
