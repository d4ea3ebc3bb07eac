// Which pictures are wanted: by day, folder, camera, tag, name and state.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Choices, Filter } from "../api/types";
import { askOnly, isEmpty, NO_FILTER, STATES, wanted, wordsOf } from "../state/filters";
import { useNews } from "../state/news";
import { worded } from "../state/words";

interface Props {
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

export function Filters({ filter, onFilter }: Props) {
  const choices = useChoices();
  const set = (name: keyof Filter, value: string) => onFilter({ ...filter, [name]: value } as Filter);
  const words = wordsOf({ ...filter, q: "" });
  return (
    <details class="filters">
      <summary>{words ? `Only those ${words}` : "Filter"}</summary>
      <div class="filter-fields">
        <Choice label="Folder" value={filter.folder} options={choices?.folders} onChange={(v) => set("folder", v)} />
        <Choice label="Name" value={filter.name} options={choices?.names} onChange={(v) => set("name", v)} />
        <Choice label="Tag" value={filter.tag} options={choices?.tags} onChange={(v) => set("tag", v)} />
        <Choice label="Camera" value={filter.camera} options={choices?.cameras} onChange={(v) => set("camera", v)} />
        <label class="field small">
          <span>State</span>
          <select value={filter.state} onChange={(event) => set("state", event.currentTarget.value)}>
            <option value="">any</option>
            {Object.entries(STATES).map(([state, label]) => (
              <option key={state} value={state}>
                {worded(label)}
              </option>
            ))}
          </select>
        </label>
        <Day label="From" value={filter.since} choices={choices} onChange={(v) => set("since", v)} />
        <Day label="To" value={filter.until} choices={choices} onChange={(v) => set("until", v)} />
        {!isEmpty({ ...filter, q: "" }) && (
          <button type="button" onClick={() => onFilter({ ...NO_FILTER, q: filter.q })}>
            Clear the filter
          </button>
        )}
      </div>
    </details>
  );
}

function useChoices(): Choices | null {
  const [choices, setChoices] = useState<Choices | null>(null);
  const load = () => void api.choices().then(setChoices, () => undefined); // without them there is less to choose from
  useEffect(load, []);
  useNews("changed", load);
  return choices;
}

interface ChoiceProps {
  label: string;
  value: string;
  options: Choices["folders"] | undefined;
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  if (!options?.length && !value) return null;
  const isGone = value !== "" && !options?.some(({ name }) => name === value);
  return (
    <label class="field small">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {isGone && <option value={value}>{value}</option>}
        {options?.map(({ name, n }) => (
          <option key={name} value={name}>
            {name} ({n.toLocaleString("en")})
          </option>
        ))}
      </select>
    </label>
  );
}

interface DayProps {
  label: string;
  value: string;
  choices: Choices | null;
  onChange: (value: string) => void;
}

/** Only where cameras said when: of other pictures nobody knows. */
function Day({ label, value, choices, onChange }: DayProps) {
  if (!choices?.first_day && !value) return null;
  return (
    <label class="field small">
      <span>{label}</span>
      <input
        type="date"
        value={value}
        min={choices?.first_day ?? undefined}
        max={choices?.last_day ?? undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

/** Ask only about what the filter lets through, and go there. */
export function AskOnly({ n }: { n: number }) {
  const ask = async () => {
    if (await askOnly(wanted.value)) location.hash = "#/";
  };
  return (
    <button type="button" class="primary" onClick={() => void ask()}>
      Ask only about these {n.toLocaleString("en")}
    </button>
  );
}
