// Where people disagree: the pictures, who said what, and the word that decides.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, type Dispute, type Settings, type Value } from "./api";
import { keyName, keysOf, useKeys } from "./keys";
import { publish, useNews } from "./news";
import { Picture, Zoom } from "./picture";
import { WORDS } from "./sides";
import { complain, say } from "./toast";
import { count, letGo, Loading } from "./ui";

const VALUES: Record<Dispute["kind"], Value[]> = {
  pair: ["same", "different", "unsure"],
  triplet: ["ab", "ac", "bc", "none", "unsure"],
};

export function Adjudicate({ settings, onChange }: { settings: Settings; onChange: () => void }) {
  const [found, setFound] = useState<{ total: number; disputes: Dispute[] } | null>(null);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const busy = useRef(false);
  const load = useCallback(() => api.disputes().then(setFound, complain), []);
  useEffect(() => void load(), [load]);
  useNews("changed", () => void load());
  const first = found?.disputes[0];

  const decide = async (value: Value) => {
    if (!first || busy.current || !VALUES[first.kind].includes(value)) return;
    busy.current = true;
    try {
      const { seq, left } = await api.adjudicate({ kind: first.kind, items: first.items, value });
      publish("changed", { seq });
      say(left ? `${WORDS[value]}; ${left} left` : `${WORDS[value]}; nothing is left to decide`, true);
      onChange();
    } catch (error) {
      complain(error);
    }
    await load();
    busy.current = false;
  };
  const keys = keysOf(settings);
  const on = settings.single_keys !== false;
  useKeys(keys, on, (action) => (action === "zoom" ? first && setZoomed(0) : void decide(action as Value)));

  if (!found) return <Loading what="Looking where people disagree…" />;
  if (!first) {
    return (
      <section class="centre">
        <h1>Nobody disagrees</h1>
        <p>Where people answer the same question differently, it waits here for you.</p>
        <p>
          <a class="button primary" href="#/team">Back to the team</a>
        </p>
      </section>
    );
  }
  return (
    <section class="adjudicate" aria-labelledby="adjudicate-title" key={first.id}>
      <div class="toolbar">
        <h1 id="adjudicate-title">{first.kind === "pair" ? "Same or different?" : "Which two belong together?"}</h1>
        <span class="quiet">{count(found.total, "question")} on which people disagree</span>
      </div>
      <div class={`two n${first.items.length}`}>
        {first.items.map((item, k) => (
          <button key={item} class="frame" onClick={() => setZoomed(k)} aria-label={`Enlarge picture ${item}`}>
            <Picture id={item} size="preview" alt={`Picture ${item}`} />
            {first.kind === "triplet" && <span class="letter">{"ABC"[k]}</span>}
          </button>
        ))}
      </div>
      <ul class="votes" aria-label="What people said">
        {first.said.map(({ annotator, items, value }) => (
          <li key={annotator}>
            <bdi>{annotator || "somebody"}</bdi>
            <span class={`tag ${value}`}>{WORDS[turned(first.items, items, value)]}</span>
          </li>
        ))}
      </ul>
      <div class="row deciding" role="group" aria-label="Decide">
        {VALUES[first.kind].map((value) => (
          <button key={value} class={value === "unsure" ? "answer" : `answer ${value === "different" || value === "none" ? "different" : "same"}`} onClick={(event) => (letGo(event), void decide(value))}>
            <span>{value === "unsure" ? "Cannot be told" : WORDS[value]}</span>
            {on && <kbd>{keyName(keys[value] ?? "")}</kbd>}
          </button>
        ))}
      </div>
      <p class="quiet">What you decide counts instead of what they said; their answers are kept. What cannot be told is not asked again.</p>
      {zoomed !== null && <Zoom ids={[...first.items]} at={zoomed} onClose={() => setZoomed(null)} />}
    </section>
  );
}

/** What somebody said of three pictures, by the letters that are shown here. */
function turned(shown: number[], items: number[], value: Value): Value {
  if (!["ab", "ac", "bc"].includes(value)) return value;
  const letters = [...value].map((letter) => "abc"[shown.indexOf(items["abc".indexOf(letter)]!)]!);
  return letters.sort().join("") as Value;
}
