// Pictures of a group on a grid: tap the odd ones out, and one look is many answers.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Grid } from "../api/types";
import { propose } from "../state/change";
import { isTooSoon } from "../state/question";
import { toggled } from "../state/selection";
import { keys, singleKeys } from "../state/settings";
import { rememberTaps } from "../state/taps";
import { attempt } from "../state/toasts";
import { worded } from "../state/words";
import { ActionBar } from "./action-bar";
import { GridTiles } from "./grid-tiles";
import { useKeys } from "./keys";
import { LastTaps } from "./last-taps";
import { Picture } from "./picture";
import { asActions, screenKeys } from "./screen-keys";
import { count } from "./text";

/** The grid of a group; null where the group is gone. */
export const readGrid = (cluster: number): Promise<Grid | null> =>
  api.grid(cluster).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  });

const SEND_KEY = { send: "Enter" };

interface CheckGridProps {
  grid: Grid;
  /** What stands above the pictures; it has the id `check-title`. */
  head: ComponentChildren;
  onDone: (now: Grid | null) => void;
  /** Further buttons. */
  children?: ComponentChildren;
}

export function CheckGrid({ grid, head, onDone, children }: CheckGridProps) {
  const [odd, setOdd] = useState<ReadonlySet<number>>(new Set());
  const since = useRef(performance.now());
  const busy = useRef(false);
  const { cluster, core, items } = grid;
  const isPossible = core.length > 0 || odd.size < items.length;
  const send = async () => {
    const isMeant = odd.size > 0 || !isTooSoon(since.current, performance.now()); // whoever tapped has looked
    if (!isPossible || busy.current || !isMeant) return;
    busy.current = true;
    const seconds = Math.round(performance.now() - since.current) / 1000;
    const words = wordsOf(items.length, odd.size);
    const isDone = await propose({
      title: "Send the grid",
      verb: "Send",
      isTried: false,
      run: (more) => api.sendGrid({ cluster, items, odd: [...odd], seconds }, more),
      done: () => words,
      after: ({ seq = 0 }) => rememberTaps([...odd].map((item) => ({ seq, cluster, item }))),
    });
    if (isDone) await attempt(async () => onDone(await readGrid(cluster)));
    busy.current = false;
  };
  const toggle = (id: number) => setOdd(toggled(odd, id));
  const labels = singleKeys.value ? screenKeys(items.length, keys.value) : [];
  useKeys(SEND_KEY, true, () => void send());
  useKeys(asActions(labels), singleKeys.value, (at) => toggle(items[Number(at)] as number));
  return (
    <section class="check" aria-labelledby="check-title">
      {head}
      <Core items={core} />
      <GridTiles items={items} odd={odd} labels={labels} onToggle={toggle} onSend={() => void send()} />
      <LastTaps />
      <ActionBar label="Answer">
        <span role="status">
          {odd.size ? `${odd.size} odd, ${items.length - odd.size} belong together` : "No odd one so far"}
        </span>
        <button type="button" class="primary" aria-disabled={!isPossible} onClick={() => void send()}>
          {odd.size ? "Send" : "All belong together"} <kbd>Enter</kbd>
        </button>
        {odd.size > 0 && (
          <button type="button" onClick={() => setOdd(new Set())}>
            Clear
          </button>
        )}
        {children}
      </ActionBar>
    </section>
  );
}

const wordsOf = (n: number, odd: number): string =>
  odd ? `${count(odd, "picture")} taken out, ${n - odd} belong` : `All ${count(n, "picture")} belong together`;

/** Pictures that are known to belong, for reference. */
function Core({ items }: { items: number[] }) {
  if (!items.length) return null;
  return (
    <figure class="core">
      <figcaption>{items.length === 1 ? "This one belongs" : "These belong"} to it:</figcaption>
      {items.map((id) => (
        <Picture key={id} id={id} alt={worded`Picture ${id}, which belongs to it`} />
      ))}
    </figure>
  );
}
