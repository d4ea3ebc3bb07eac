// The keys, and how to change them.
import { useEffect, useState } from "preact/hooks";
import type { Settings } from "../api/types";
import { DEFAULT_KEYS, KEY_WORDS, keyName } from "../parts/keys";
import { keys, singleKeys } from "../state/settings";
import { worded } from "../state/words";

const wordsOf = (action: string): string => worded(KEY_WORDS[action] ?? "");
const NOT_FOR_ACTIONS = ["Shift", "Control", "Alt", "Meta", "Tab"];

export function KeySettings({ onKeep }: { onKeep: (changes: Partial<Settings>, words: string) => void }) {
  const on = singleKeys.value;
  const keep = (action: string, key: string) =>
    onKeep({ keys: { ...keys.value, [action]: key } }, `${wordsOf(action)}: ${keyName(key)}`);
  return (
    <section class="box" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <label class="switch">
        <input
          type="checkbox"
          checked={on}
          onChange={() => onKeep({ single_keys: !on }, on ? "Keys are off" : "Keys are on")}
        />{" "}
        Answer with single keys
      </label>
      <p class="quiet">Switch them off when you use speech input or a screen reader that takes these keys.</p>
      <KeyTable onKeep={keep} />
      <button type="button" disabled={!on} onClick={() => onKeep({ keys: DEFAULT_KEYS }, "The keys are as they were")}>
        Back to the usual keys
      </button>
    </section>
  );
}

function KeyTable({ onKeep }: { onKeep: (action: string, key: string) => void }) {
  const [waiting, setWaiting] = useState<string | null>(null);
  useEffect(() => {
    if (!waiting) return;
    const down = (event: KeyboardEvent) => {
      setWaiting(null);
      if (NOT_FOR_ACTIONS.includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key !== "Escape") onKeep(waiting, event.key);
    };
    addEventListener("keydown", down, true);
    return () => removeEventListener("keydown", down, true);
  }, [waiting]);
  const keyOf = (action: string) => keys.value[action] ?? "";
  const isUsedTwice = (action: string) =>
    Object.values(keys.value).filter((key) => key.toLowerCase() === keyOf(action).toLowerCase()).length > 1;
  return (
    <table class="keys">
      <tbody>
        {Object.keys(DEFAULT_KEYS).map((action) => (
          <tr key={action}>
            <th scope="row">{wordsOf(action)}</th>
            <td>
              <button
                type="button"
                class="key"
                disabled={!singleKeys.value}
                aria-label={`Key for ${wordsOf(action)}: ${keyName(keyOf(action))}`}
                onClick={() => setWaiting(action)}
              >
                {waiting === action ? "Press a key…" : <kbd>{keyName(keyOf(action))}</kbd>}
              </button>
              {isUsedTwice(action) && <span class="warning">used twice</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
