// What is meant by "same": the owner's words, a line of instruction, examples of both. All of it is text, never markup.
import type { ComponentChildren } from "preact";
import type { Settings } from "../api/types";
import { worded } from "../state/words";
import { Picture } from "./picture";

/** Words between asterisks are stressed. */
export const stressed = (text: string): ComponentChildren[] =>
  text.split(/\*([^*]+)\*/).map((part, k) => (k % 2 ? <em key={k}>{part}</em> : part));

/** The same for what cannot be stressed: labels, and what is read aloud. */
export const plain = (text: string): string => text.replace(/\*([^*]+)\*/g, "$1");

/** A sentence of its own. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The line of instruction, and the examples where there are any. */
export function PromptLine({ prompt, settings }: { prompt: string; settings: Settings | undefined }) {
  const { instruction = "", examples = [] } = settings ?? {};
  if (!prompt && !instruction && !examples.length) return null;
  return (
    <div class="prompt">
      {prompt && <strong>{stressed(capital(prompt))}</strong>}
      {instruction && <span>{stressed(instruction)}</span>}
      {examples.length > 0 && (
        <details>
          <summary>Examples of what is meant</summary>
          <PromptExamples examples={examples} />
        </details>
      )}
    </div>
  );
}

export function PromptExamples({ examples }: { examples: NonNullable<Settings["examples"]> }) {
  return (
    <ul class="prompt-examples">
      {examples.map(({ items, value }, k) => (
        <li key={k} class={value}>
          {items.map((id) => (
            <Picture key={id} id={id} alt={worded`Example picture ${id}`} />
          ))}
          <span>{value === "same" ? "the same" : "different"}</span>
        </li>
      ))}
    </ul>
  );
}
