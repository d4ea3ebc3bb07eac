// Contradictions: the circle of answers that cannot all be true, and the question that decides.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Conflict, Statement } from "../api/types";
import { Loading } from "../parts/loading";
import { Picture } from "../parts/picture";
import { isFact, isPartOfMore, relation, StatementPair, whoSaid } from "../parts/statement";
import { NotCountedPeople, useNotCounted } from "../parts/suspicion";
import { count } from "../parts/text";
import { Zoom } from "../parts/zoom";
import { publish, useNews } from "../state/news";
import { refresh } from "../state/session";
import { complain } from "../state/toasts";
import { sayDone } from "../state/undo";
import { worded } from "../state/words";

export function ConflictsView() {
  const [conflicts, setConflicts] = useState<Conflict[] | null>(null);
  const notCounted = useNotCounted();
  const busy = useRef(false);
  const load = useCallback(() => api.conflicts().then(setConflicts, complain), []);
  useEffect(() => void load(), [load]);
  useNews("changed", () => void load());

  const withdraw = async ({ seq: wrong, items: pair }: Statement) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const { seq, left } = await api.resolve([wrong], pair);
      publish("changed", { seq });
      sayDone(left ? `Taken back; ${count(left, "conflict")} left` : "Taken back; no conflict is left", [seq]);
      refresh();
    } catch (error) {
      complain(error);
    }
    await load(); // until what is left is shown, a second press would be about what is gone
    busy.current = false;
  };

  if (!conflicts) return <Loading what="Looking for contradictions…" />;
  if (!conflicts.length) {
    return (
      <section class="centre">
        <h1>No conflicts</h1>
        <p>Nothing that {notCounted.length ? "counts" : "was said"} contradicts anything else.</p>
        <NotCountedPeople people={notCounted} />
        <p>
          <a class="button primary" href="#/">
            Back to the questions
          </a>
        </p>
      </section>
    );
  }
  return (
    <section class="conflicts" aria-labelledby="conflicts-title">
      <div class="toolbar">
        <h1 id="conflicts-title">Conflicts</h1>
        <span class="quiet">{count(conflicts.length, "circle")} of answers that cannot all be true</span>
      </div>
      <NotCountedPeople people={notCounted} />
      {conflicts.map((conflict) => (
        <ConflictBox
          key={`${conflict.statement.seq}-${conflict.statement.items.join("-")}`}
          conflict={conflict}
          onWithdraw={(statement) => void withdraw(statement)}
        />
      ))}
    </section>
  );
}

interface BoxProps {
  conflict: Conflict;
  onWithdraw: (statement: Statement) => void;
}

function ConflictBox({ conflict: { statement, chain }, onWithdraw }: BoxProps) {
  const [decided, setDecided] = useState<"same" | "different" | null>(null);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const decide = (value: "same" | "different") => {
    if (value !== statement.value) return onWithdraw(statement);
    const answers = chain.filter((said) => !isFact(said));
    const wrong = answers.length === 1 ? answers[0] : undefined;
    if (wrong) onWithdraw(wrong);
    else setDecided(value);
  };
  const id = `decide-${statement.seq}-${statement.items.join("-")}`;
  return (
    <article class="conflict" aria-labelledby={id}>
      <div class="decide">
        <h2 id={id}>Are these two the same?</h2>
        <div class="two">
          {statement.items.map((item, k) => (
            <button
              type="button"
              key={item}
              class="frame"
              onClick={() => setZoomed(k)}
              aria-label={worded`Enlarge picture ${item}`}
            >
              <Picture id={item} size="preview" alt={worded`Picture ${item}`} />
            </button>
          ))}
        </div>
        <div class="row">
          <button type="button" class="answer same" onClick={() => decide("same")}>
            Same
          </button>
          <button type="button" class="answer different" onClick={() => decide("different")}>
            Different
          </button>
        </div>
      </div>
      <Chain statement={statement} chain={chain} decided={decided} onWithdraw={onWithdraw} />
      {zoomed !== null && <Zoom ids={[...statement.items]} at={zoomed} onClose={() => setZoomed(null)} />}
    </article>
  );
}

interface ChainProps {
  statement: Statement;
  chain: Statement[];
  decided: "same" | "different" | null;
  onWithdraw: (statement: Statement) => void;
}

/** The answers that together say the contrary. */
function Chain({ statement, chain, decided, onWithdraw }: ChainProps) {
  return (
    <div class="said">
      <h3>What was said</h3>
      <p>
        <strong>{relation(statement.value)}</strong> by {whoSaid(statement)}, which is set aside until this is decided.
      </p>
      <p>
        But {chain.length === 1 ? "this says" : `these ${chain.length} together say`} that they are{" "}
        {statement.value === "same" ? "different" : "the same"}:
      </p>
      <ol class="chain">
        {chain.map((said, k) => (
          <li key={k}>
            <StatementPair statement={said} />
            <span class="quiet">
              {whoSaid(said)}
              {isPartOfMore(said) && "; only this of it is taken back"}
            </span>
            {!isFact(said) && (
              <button type="button" class={decided ? "small primary" : "small"} onClick={() => onWithdraw(said)}>
                This was wrong
              </button>
            )}
          </li>
        ))}
      </ol>
      <p role="status" class={decided ? "warning" : "hidden"}>
        {decided &&
          `If they are ${decided === "same" ? "the same" : "different"}, one of these ${chain.length} was wrong: say which.`}
      </p>
    </div>
  );
}
