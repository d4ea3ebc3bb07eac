// What was done: who, when, what; any step can be taken back, or done again.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Step, Steps } from "../api/types";
import { Icon } from "../parts/icons";
import { Loading } from "../parts/loading";
import { count } from "../parts/text";
import { useNews } from "../state/news";
import { complain } from "../state/toasts";
import { doAgain, redo, takeBack, undo } from "../state/undo";
import { worded } from "../state/words";

const PAGE = 50;

export function HistoryView() {
  const { found, load, more } = useSteps();
  const turn = useTurns(load);
  if (!found) return <Loading what="Looking at what was done…" />;
  return (
    <section class="history" aria-labelledby="history-title">
      <div class="toolbar">
        <h1 id="history-title">History</h1>
        <span class="quiet">What was done, latest first</span>
        <span class="spring" />
        <button type="button" onClick={() => void undo()}>
          <Icon name="undo" /> Undo <span class="quiet">your last step</span>
        </button>
        <button type="button" onClick={() => void redo()}>
          <Icon name="redo" /> Redo
        </button>
      </div>
      {found.steps.length === 0 && <p class="empty">Nothing was done yet.</p>}
      {byDay(found.steps).map(([day, steps]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol class="steps">
            {steps.map((step) => (
              <Row key={step.seq} step={step} onTurn={() => turn(step)} />
            ))}
          </ol>
        </section>
      ))}
      {found.more && (
        <p class="row">
          <button type="button" onClick={more}>
            Show earlier steps
          </button>
        </p>
      )}
    </section>
  );
}

/** Steps are turned one after the other, in the order of the presses; a second press of the same is none. */
function useTurns(load: () => Promise<void>): (step: Step) => void {
  const line = useRef(Promise.resolve());
  const waiting = useRef(new Set<string>());
  return ({ seq, in_force: holds, text }) => {
    const press = `${seq} ${holds}`;
    if (waiting.current.has(press)) return;
    waiting.current.add(press);
    line.current = line.current.then(async () => {
      await (holds ? takeBack([seq], text) : doAgain([seq], text));
      waiting.current.delete(press);
      await load();
    });
  };
}

/** The steps so far, as many as were asked for; loaded again when somebody did something. */
function useSteps() {
  const [found, setFound] = useState<Steps | null>(null);
  const wanted = useRef(PAGE);
  const loads = useRef(0);
  const load = useCallback(async () => {
    const mine = ++loads.current;
    try {
      const steps = await read(wanted.current);
      if (mine === loads.current) setFound(steps); // what was asked for later knows more
    } catch (error) {
      complain(error);
    }
  }, []);
  useEffect(() => void load(), [load]);
  useNews("changed", () => void load());
  useNews("clusters", () => void load());
  const more = () => {
    wanted.current += PAGE;
    void load();
  };
  return { found, load, more };
}

/** The latest steps, page by page. */
async function read(wanted: number): Promise<Steps> {
  const steps: Step[] = [];
  for (;;) {
    const page = await api.steps(PAGE, steps.at(-1)?.seq);
    steps.push(...page.steps);
    if (!page.more || !page.steps.length || steps.length >= wanted) return { steps, more: page.more };
  }
}

function Row({ step, onTurn }: { step: Step; onTurn: () => void }) {
  const { text, at, n, annotator, mine, in_force: holds } = step;
  return (
    <li class={holds ? "" : "gone-step"}>
      <time dateTime={at}>{new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}</time>
      <span class="what">
        <bdi>{text}</bdi>
        <span class="quiet">
          <bdi>{mine ? "you" : annotator || "somebody"}</bdi>
          {n > 1 && !text.includes(worded("picture")) && `, ${count(n, "picture")}`}
          {!holds && ", taken back"}
        </span>
      </span>
      <button
        type="button"
        class="small"
        aria-label={`${holds ? "Take back" : "Do again"}: ${text}, step ${step.seq}`}
        onClick={onTurn}
      >
        {holds ? "Take back" : "Do again"}
      </button>
    </li>
  );
}

/** Steps under the day they were made on. */
function byDay(steps: Step[]): [string, Step[]][] {
  const days = new Map<string, Step[]>();
  for (const step of steps) {
    const day = new Date(step.at).toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long" });
    const same = days.get(day);
    if (same) same.push(step);
    else days.set(day, [step]);
  }
  return [...days];
}
