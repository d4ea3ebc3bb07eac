// Who one is, the keys, and how questions are chosen.
import { useEffect, useState } from "preact/hooks";
import { annotator } from "../api/requests";
import { api } from "../api/routes";
import type { Asker, Settings } from "../api/types";
import { RateSelect } from "../parts/rate-select";
import { Segmented } from "../parts/segmented";
import { keepName, keepSettings } from "../state/settings";
import { complain } from "../state/toasts";
import { worded } from "../state/words";
import { KeySettings } from "./settings-keys";
import { PromptSettings } from "./settings-prompt";

const KINDS = [
  ["auto", "All forms: whatever settles most in your time"],
  ["pair", "Two pictures: same or different?"],
  ["triplet", "Three pictures: which two belong together?"],
] as const;

const keep = (changes: Partial<Settings>, words = "Chosen"): void => void keepSettings(changes, words);

export function SettingsView({ settings }: { settings: Settings }) {
  return (
    <section class="settings" aria-labelledby="settings-title">
      <div class="toolbar">
        <h1 id="settings-title">Settings</h1>
      </div>
      <div class="cards">
        <You />
        <Questions settings={settings} />
        <PromptSettings settings={settings} onKeep={keep} />
        <KeySettings onKeep={keep} />
      </div>
    </section>
  );
}

function You() {
  const [name, setName] = useState(annotator());
  const done = () => setName(keepName(name));
  return (
    <section class="box" aria-labelledby="you">
      <h2 id="you">You</h2>
      <label class="field">
        Your name
        <input
          value={name}
          maxLength={100}
          onInput={(event) => setName(event.currentTarget.value)}
          onBlur={done}
          onKeyDown={(event) => event.key === "Enter" && done()}
        />
      </label>
      <p class="quiet">Answers are kept under this name, and undo goes back through your own only.</p>
    </section>
  );
}

function Questions({ settings }: { settings: Settings }) {
  return (
    <section class="box" aria-labelledby="asking">
      <h2 id="asking">Questions</h2>
      <div class="field">
        <span>Form</span>
        <Segmented<Settings["kind"]>
          label="Form of the questions"
          value={settings.kind}
          options={KINDS}
          onChange={(kind) => keep({ kind }, "The next questions are of this form")}
        />
      </div>
      <Strategy chosen={settings.strategy} />
      <Clusterer chosen={settings.clusterer ?? null} />
      <NumberOfClusters chosen={settings.n_clusters ?? null} />
      <RateSelect
        label="Check questions"
        value={settings.check_rate ?? 0.05}
        onChange={(check_rate) => keep({ check_rate })}
      />
      <p class="quiet">{worded`Pairs drawn at random; they show how good the clusters are, under Progress.`}</p>
      <label class="switch">
        <input
          type="checkbox"
          checked={settings.recheck !== false}
          onChange={(event) => keep({ recheck: event.currentTarget.checked })}
        />{" "}
        Ask again where an answer may be a slip
      </label>
      <p class="quiet">
        {worded`By other pictures of the same two groups. What more answers speak against than for is set aside, and listed under Conflicts.`}
      </p>
      <label class="switch">
        <input
          type="checkbox"
          checked={settings.stacks !== false}
          onChange={(event) => keep({ stacks: event.currentTarget.checked })}
        />{" "}
        Take copies and bursts for one
      </label>
      <p class="quiet">
        {worded`Pictures that look like copies of one another are shown as one stack, and nobody is asked about them. Switch it off for drawings, and for things on plain ground that differ only a little.`}
      </p>
    </section>
  );
}

function Strategy({ chosen }: { chosen: string }) {
  const [askers, setAskers] = useState<Asker[]>([]);
  useEffect(() => {
    api.askers().then(setAskers, complain);
  }, []);
  const names = askers.map((each) => each.name);
  const listed = names.includes(chosen) ? names : [...names, chosen];
  const when = askers.find((each) => each.name === chosen)?.when;
  return (
    <>
      <label class="field">
        Who chooses them
        <select value={chosen} onChange={(event) => keep({ strategy: event.currentTarget.value })}>
          {listed.map((each) => (
            <option key={each} value={each}>
              {each === "auto" ? "auto (recommended)" : each}
            </option>
          ))}
        </select>
      </label>
      {when && <p class="quiet">{when}</p>}
    </>
  );
}

function Clusterer({ chosen }: { chosen: Settings["clusterer"] }) {
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    api.clusterers().then(setNames, complain);
  }, []);
  const listed = chosen && !names.includes(chosen) ? [...names, chosen] : names;
  return (
    <label class="field">
      {worded`Who makes the clusters`}
      <select
        value={chosen ?? ""}
        onChange={(event) => keep({ clusterer: (event.currentTarget.value || null) as Settings["clusterer"] })}
      >
        <option value="">who asks (recommended)</option>
        {listed.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

function NumberOfClusters({ chosen }: { chosen: number | null }) {
  const [typed, setTyped] = useState(chosen === null ? "" : String(chosen));
  const done = () => {
    const n_clusters = typed.trim() === "" ? null : Number(typed);
    if (n_clusters === chosen) return;
    keep({ n_clusters }, n_clusters === null ? worded`Any number of clusters` : worded`${n_clusters} clusters`);
  };
  return (
    <>
      <label class="field">
        {worded`Number of clusters`}
        <input
          type="number"
          min={1}
          max={1000000}
          value={typed}
          placeholder="Not known"
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={done}
          onKeyDown={(event) => event.key === "Enter" && done()}
        />
      </label>
      <p class="quiet">Leave it empty when you do not know: the answers show it.</p>
    </>
  );
}
