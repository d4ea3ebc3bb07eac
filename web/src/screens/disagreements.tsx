// Where people disagree: the pictures, who said what, and the word that decides.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Dispute, Value } from "../api/types";
import { styleOf } from "../parts/answer-buttons";
import { ANSWER_WORDS, ANSWERS, ASKED, isAnswer } from "../parts/answers";
import { letGo } from "../parts/focus";
import { keyName, useKeys } from "../parts/keys";
import { Loading } from "../parts/loading";
import { Picture } from "../parts/picture";
import { count } from "../parts/text";
import { Zoom } from "../parts/zoom";
import { publish, useNews } from "../state/news";
import { refresh } from "../state/session";
import { keys, singleKeys } from "../state/settings";
import { complain } from "../state/toasts";
import { say } from "../state/undo";
import { worded } from "../state/words";

export function DisagreementsView() {
  const [found, setFound] = useState<{ total: number; disputes: Dispute[] } | null>(null);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const busy = useRef(false);
  const load = useCallback(() => api.disputes().then(setFound, complain), []);
  useEffect(() => void load(), [load]);
  useNews("changed", () => void load());
  const first = found?.disputes[0];
  const decide = async (action: string) => {
    if (!first || busy.current || !isAnswer(first.kind, action)) return;
    busy.current = true;
    try {
      const { seq, left } = await api.adjudicate({ kind: first.kind, items: first.items, value: action });
      publish("changed", { seq });
      const words = ANSWER_WORDS[action];
      say(left ? `${words}; ${left} left` : `${words}; nothing is left to decide`, true);
      refresh();
    } catch (error) {
      complain(error);
    }
    await load();
    busy.current = false;
  };
  useKeys(keys.value, singleKeys.value, (action) => (action === "zoom" ? first && setZoomed(0) : void decide(action)));

  if (!found) return <Loading what="Looking where people disagree…" />;
  if (!first) {
    return (
      <section class="centre">
        <h1>Nobody disagrees</h1>
        <p>Where people answer the same question differently, it waits here for you.</p>
        <p>
          <a class="button primary" href="#/team">
            Back to the team
          </a>
        </p>
      </section>
    );
  }
  return (
    <section class="adjudicate" aria-labelledby="adjudicate-title" key={first.id}>
      <div class="toolbar">
        <h1 id="adjudicate-title">{worded(ASKED[first.kind])}</h1>
        <span class="quiet">{count(found.total, "question")} on which people disagree</span>
      </div>
      <Pictures dispute={first} onZoom={setZoomed} />
      <Decision dispute={first} onDecide={(value) => void decide(value)} />
      <p class="quiet">
        What you decide counts instead of what they said; their answers are kept. What cannot be told is not asked
        again.
      </p>
      {zoomed !== null && <Zoom ids={[...first.items]} at={zoomed} onClose={() => setZoomed(null)} />}
    </section>
  );
}

function Pictures({ dispute: { kind, items }, onZoom }: { dispute: Dispute; onZoom: (picture: number) => void }) {
  return (
    <div class={`two n${items.length}`}>
      {items.map((item, k) => (
        <button
          type="button"
          key={item}
          class="frame"
          onClick={() => onZoom(k)}
          aria-label={worded`Enlarge picture ${item}`}
        >
          <Picture id={item} size="preview" alt={worded`Picture ${item}`} />
          {kind === "triplet" && <span class="letter">{"ABC"[k]}</span>}
        </button>
      ))}
    </div>
  );
}

/** What people said, and the answers to choose from. */
function Decision({ dispute, onDecide }: { dispute: Dispute; onDecide: (value: Value) => void }) {
  return (
    <>
      <ul class="votes" aria-label="What people said">
        {dispute.said.map(({ annotator, items, value }) => (
          <li key={annotator}>
            <bdi>{annotator || "somebody"}</bdi>
            <span class={`tag ${value}`}>{ANSWER_WORDS[turned(dispute.items, items, value)]}</span>
          </li>
        ))}
      </ul>
      <fieldset class="row deciding" aria-label="Decide">
        {ANSWERS[dispute.kind].map((value) => (
          <button
            type="button"
            key={value}
            class={value === "unsure" ? "answer" : styleOf(value)}
            onClick={(event) => {
              letGo(event);
              onDecide(value);
            }}
          >
            <span>{value === "unsure" ? "Cannot be told" : ANSWER_WORDS[value]}</span>
            {singleKeys.value && <kbd>{keyName(keys.value[value] ?? "")}</kbd>}
          </button>
        ))}
      </fieldset>
    </>
  );
}

/** What somebody said of three pictures, by the letters that are shown here. */
function turned(shown: number[], items: number[], value: Value): Value {
  if (!/^[abc]{2}$/.test(value)) return value;
  const letters = [...value].map((letter) => "abc".charAt(shown.indexOf(items["abc".indexOf(letter)] ?? -1)));
  return letters.sort().join("") as Value;
}
