// How questions are shared out among people.
import { api } from "../api/routes";
import type { GoldPair, Settings, Team } from "../api/types";
import { RateSelect } from "../parts/rate-select";
import { count } from "../parts/text";
import { keepSettings } from "../state/settings";
import { complain } from "../state/toasts";
import { say } from "../state/undo";
import { worded } from "../state/words";

export function Sharing({ team, onChange }: { team: Team; onChange: () => void }) {
  const keep = async (changes: Partial<Settings>, words: string) => {
    await keepSettings(changes, words);
    onChange();
  };
  return (
    <section class="box" aria-labelledby="sharing-title">
      <h2 id="sharing-title">How questions are shared out</h2>
      <NumberField
        label="People asked the same question"
        value={team.overlap}
        max={20}
        onChange={(overlap) => void keep({ overlap }, `New questions go to ${count(overlap, "person", "people")}`)}
      />
      <p class="quiet">
        With two or more, what they say is compared; where they disagree, you decide. For questions that nobody answered
        yet.
      </p>
      <RateSelect
        label="Gold questions"
        value={team.gold_rate}
        onChange={(gold_rate) => void keep({ gold_rate }, "Chosen")}
      />
      <p class="quiet">
        Questions whose answer is known, mixed in unseen, show how reliable people are. {count(team.gold_pairs, "pair")}{" "}
        {worded`known: from confirmed clusters, from what you decided, and from what you import.`}
      </p>
      <GoldImport onDone={onChange} />
      <NumberField
        label="Minutes to answer"
        value={team.lease_minutes}
        max={1440}
        onChange={(lease_minutes) => void keep({ lease_minutes }, `A question waits ${count(lease_minutes, "minute")}`)}
      />
      <p class="quiet">After that, somebody else may be asked.</p>
    </section>
  );
}

interface NumberProps {
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
}

function NumberField({ label, value, max, onChange }: NumberProps) {
  return (
    <label class="field">
      {label}
      <input
        type="number"
        min={1}
        max={max}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  );
}

/** Pairs whose answer is known, from a table of picture numbers. */
function GoldImport({ onDone }: { onDone: () => void }) {
  const read = async (file: File | undefined) => {
    if (!file) return;
    try {
      const { pairs } = await api.gold(readPairs(await file.text()));
      say(`${count(pairs, "gold pair")} kept`, true);
    } catch (error) {
      complain(error);
    }
    onDone();
  };
  return (
    <label class="field">
      Import gold pairs (CSV: i, j, same or different)
      <input type="file" accept=".csv,text/csv" onChange={(event) => void read(event.currentTarget.files?.[0])} />
    </label>
  );
}

const isRelation = (value: string): value is GoldPair[2] => value === "same" || value === "different";

function readPairs(text: string): GoldPair[] {
  const pairs: GoldPair[] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    const [i = "", j = "", value = ""] = line.split(/[,;\t]/).map((part) => part.trim().replace(/^"|"$/g, ""));
    if (line.trim() === "" || (at === 0 && !/^\d+$/.test(i))) return; // the names of the columns
    if (!/^\d+$/.test(i) || !/^\d+$/.test(j) || !isRelation(value)) {
      throw new Error(worded`line ${at + 1} is not two picture numbers and same or different`);
    }
    pairs.push([Number(i), Number(j), value]);
  });
  if (!pairs.length) throw new Error("there are no pairs in this file");
  return pairs;
}
