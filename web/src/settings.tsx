// Who one is, the keys, and how questions are chosen.
import { useEffect, useState } from "preact/hooks";
import { annotator, api, type Kind, type Settings } from "./api";
import { DEFAULT_KEYS, KEY_WORDS, keyName, keysOf } from "./keys";
import { complain, say } from "./toast";
import { Segmented } from "./ui";

const KINDS = [
  ["pair", "Two pictures: same or different?"],
  ["triplet", "Three pictures: which two belong together?"],
] as const;

const RATES = [
  ["0", "None"],
  ["0.05", "One in twenty"],
  ["0.1", "One in ten"],
  ["0.2", "One in five"],
] as const;

/** `onChoose` is told what was chosen before the server has it: keys are to hold at once, on every screen. */
export function SettingsView({ settings, onChoose, onChange }: { settings: Settings; onChoose: (changes: Partial<Settings>) => void; onChange: () => void }) {
  const [strategies, setStrategies] = useState<string[]>([settings.strategy]);
  const [name, setName] = useState(annotator());
  const [clusters, setClusters] = useState(settings.n_clusters === null ? "" : String(settings.n_clusters));
  useEffect(() => {
    api.strategies().then(setStrategies, complain);
  }, []);

  const keep = async (changes: Partial<Settings>, words: string) => {
    onChoose(changes);
    try {
      await api.settings(changes);
      say(words);
    } catch (error) {
      complain(error);
    }
    onChange();
  };
  const keepName = () => {
    const wanted = name.trim() || "me";
    if (wanted === annotator()) return;
    localStorage.setItem("annotator", wanted);
    setName(wanted);
    say(`Your answers are kept as ${wanted}'s`);
    onChange();
  };
  const keepClusters = () => {
    const wanted = clusters.trim() === "" ? null : Number(clusters);
    if (wanted !== settings.n_clusters) void keep({ n_clusters: wanted }, wanted === null ? "Any number of clusters" : `${wanted} clusters`);
  };

  return (
    <section class="settings" aria-labelledby="settings-title">
      <div class="toolbar">
        <h1 id="settings-title">Settings</h1>
      </div>
      <div class="cards">
        <section class="box" aria-labelledby="you">
          <h2 id="you">You</h2>
          <label class="field">
            Your name
            <input value={name} maxLength={100} onInput={(event) => setName(event.currentTarget.value)} onBlur={keepName} onKeyDown={(event) => event.key === "Enter" && keepName()} />
          </label>
          <p class="quiet">Answers are kept under this name, and undo goes back through your own only.</p>
        </section>
        <section class="box" aria-labelledby="asking">
          <h2 id="asking">Questions</h2>
          <div class="field">
            <span>Form</span>
            <Segmented<Kind> label="Form of the questions" value={settings.kind ?? "pair"} options={KINDS} onChange={(kind) => void keep({ kind }, "The next questions are of this form")} />
          </div>
          <label class="field">
            Who chooses them
            <select value={settings.strategy} onChange={(event) => void keep({ strategy: event.currentTarget.value }, "Chosen")}>
              {strategies.map((each) => (
                <option key={each} value={each}>
                  {each === "auto" ? "auto (recommended)" : each}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            Number of clusters
            <input type="number" min={1} max={1000000} value={clusters} placeholder="Not known" onInput={(event) => setClusters(event.currentTarget.value)} onBlur={keepClusters} onKeyDown={(event) => event.key === "Enter" && keepClusters()} />
          </label>
          <p class="quiet">Leave it empty when you do not know: the answers show it.</p>
          <label class="field">
            Check questions
            <select value={String(settings.check_rate ?? 0.05)} onChange={(event) => void keep({ check_rate: Number(event.currentTarget.value) }, "Chosen")}>
              {RATES.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          <p class="quiet">Pairs drawn at random; they show how good the clusters are, under Progress.</p>
          <label class="switch">
            <input type="checkbox" checked={settings.recheck !== false} onChange={(event) => void keep({ recheck: event.currentTarget.checked }, "Chosen")} /> Ask again
            where an answer may be a slip
          </label>
          <p class="quiet">By other pictures of the same two groups. What more answers speak against than for is set aside, and listed under Conflicts.</p>
        </section>
        <Keys settings={settings} onKeep={(changes, words) => void keep(changes, words)} />
      </div>
    </section>
  );
}

function Keys({ settings, onKeep }: { settings: Settings; onKeep: (changes: Partial<Settings>, words: string) => void }) {
  const [waiting, setWaiting] = useState<string | null>(null);
  const keys = keysOf(settings);
  const on = settings.single_keys !== false;
  const used = new Map<string, number>();
  for (const key of Object.values(keys)) used.set(key.toLowerCase(), (used.get(key.toLowerCase()) ?? 0) + 1);

  useEffect(() => {
    if (!waiting) return;
    const down = (event: KeyboardEvent) => {
      if (["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return setWaiting(null);
      event.preventDefault();
      event.stopPropagation();
      if (event.key !== "Escape") onKeep({ keys: { ...keys, [waiting]: event.key } }, `${KEY_WORDS[waiting]}: ${keyName(event.key)}`);
      setWaiting(null);
    };
    addEventListener("keydown", down, true);
    return () => removeEventListener("keydown", down, true);
  }, [waiting]);

  return (
    <section class="box" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <label class="switch">
        <input type="checkbox" checked={on} onChange={() => onKeep({ single_keys: !on }, on ? "Keys are off" : "Keys are on")} /> Answer with
        single keys
      </label>
      <p class="quiet">Switch them off when you use speech input or a screen reader that takes these keys.</p>
      <table class="keys">
        <tbody>
          {Object.keys(DEFAULT_KEYS).map((action) => (
            <tr key={action}>
              <th scope="row">{KEY_WORDS[action]}</th>
              <td>
                <button class="key" disabled={!on} aria-label={`Key for ${KEY_WORDS[action]}: ${keyName(keys[action]!)}`} onClick={() => setWaiting(action)}>
                  {waiting === action ? "Press a key…" : <kbd>{keyName(keys[action]!)}</kbd>}
                </button>
                {(used.get(keys[action]!.toLowerCase()) ?? 0) > 1 && <span class="warning">used twice</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <button disabled={!on} onClick={() => onKeep({ keys: DEFAULT_KEYS }, "The keys are as they were")}>
        Back to the usual keys
      </button>
    </section>
  );
}
