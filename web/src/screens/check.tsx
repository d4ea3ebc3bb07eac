// One cluster on a grid: tap the odd ones out, and one look is many answers.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Grid } from "../api/types";
import { arrows } from "../parts/arrow-keys";
import { Icon } from "../parts/icons";
import { Loading } from "../parts/loading";
import { Picture } from "../parts/picture";
import { count, titleOf } from "../parts/text";
import { publish } from "../state/news";
import { toggled } from "../state/selection";
import { attempt, complain } from "../state/toasts";
import { say } from "../state/undo";

export function CheckView({ cluster }: { cluster: number }) {
  const [grid, setGrid] = useState<Grid | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [gone, setGone] = useState(false);
  const load = useCallback(() => {
    setDone(null);
    api.grid(cluster).then(
      (found) => {
        setGrid(found);
        setGone(false);
      },
      (error: unknown) => (error instanceof Refused && error.status === 404 ? setGone(true) : complain(error)),
    );
  }, [cluster]);
  useEffect(load, [load]);
  if (gone) return <Nothing />;
  if (!grid) return <Loading what="Looking at the cluster…" />;
  if (done !== null) return <Sent words={done} cluster={cluster} onAgain={load} />;
  return <Checking cluster={cluster} grid={grid} onDone={setDone} />;
}

interface CheckingProps {
  cluster: number;
  grid: Grid;
  onDone: (words: string) => void;
}

function Checking({ cluster, grid, onDone }: CheckingProps) {
  const [odd, setOdd] = useState<ReadonlySet<number>>(new Set());
  const since = useRef(0);
  const busy = useRef(false);
  useEffect(() => {
    setOdd(new Set());
    since.current = performance.now();
  }, [grid]);
  const { items } = grid;
  const isPossible = odd.size < items.length;
  const send = async () => {
    if (!isPossible || busy.current) return;
    busy.current = true;
    await attempt(async () => {
      const seconds = Math.round(performance.now() - since.current) / 1000;
      const { seq } = await api.sendGrid({ items, odd: [...odd], seconds });
      publish("changed", { seq });
      const words = odd.size ? `${count(odd.size, "picture")} taken out` : "All of them belong together";
      onDone(words);
      say(words, true);
    });
    busy.current = false;
  };
  return (
    <section class="check" aria-labelledby="check-title">
      <div class="toolbar">
        <a class="back" href={`#/clusters/${cluster}`}>
          <Icon name="left" /> <span>Back</span>
        </a>
        <h1 id="check-title">Tap the odd ones out</h1>
        <bdi class="quiet">
          {titleOf(grid)}
          {items.length < grid.size && `; these ${items.length} are its most typical and its most doubtful`}
        </bdi>
      </div>
      <Tiles items={items} odd={odd} onToggle={(id) => setOdd(toggled(odd, id))} />
      <fieldset class="selection" aria-label="Answer">
        <span role="status">
          {odd.size ? `${odd.size} odd, ${items.length - odd.size} belong together` : "No odd one so far"}
        </span>
        <button type="button" class="primary" aria-disabled={!isPossible} onClick={() => void send()}>
          {odd.size ? "Send" : "All belong together"}
        </button>
        {odd.size > 0 && (
          <button type="button" onClick={() => setOdd(new Set())}>
            Clear
          </button>
        )}
      </fieldset>
    </section>
  );
}

interface TilesProps {
  items: number[];
  odd: ReadonlySet<number>;
  onToggle: (id: number) => void;
}

function Tiles({ items, odd, onToggle }: TilesProps) {
  return (
    <ul class="tiles" onKeyDown={arrows}>
      {items.map((id, k) => (
        <li key={id}>
          <button
            type="button"
            class={odd.has(id) ? "tile odd" : "tile"}
            aria-pressed={odd.has(id)}
            aria-label={`Picture ${k + 1} of ${items.length} is odd`}
            onClick={() => onToggle(id)}
          >
            <Picture id={id} alt="" />
            {odd.has(id) && (
              <span class="tick">
                <Icon name="close" />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Sent({ words, cluster, onAgain }: { words: string; cluster: number; onAgain: () => void }) {
  const [next, setNext] = useState<number | null>(null);
  useEffect(() => {
    api.clusters("doubt", 0, 20).then(({ clusters }) => {
      setNext(clusters.find((each) => each.id !== cluster && !each.confirmed && each.size > 2)?.id ?? null);
    }, complain);
  }, [cluster]);
  return (
    <section class="centre" aria-live="polite">
      <h1>Thank you</h1>
      <p>{words}.</p>
      <p class="row">
        {next !== null && (
          <a class="button primary" href={`#/clusters/${next}/check`}>
            Check the next cluster
          </a>
        )}
        <a class="button" href={`#/clusters/${cluster}`}>
          Back to this one
        </a>
        <button type="button" onClick={onAgain}>
          Check it again
        </button>
      </p>
    </section>
  );
}

function Nothing() {
  return (
    <section class="centre">
      <h1>This cluster is gone</h1>
      <p>Its pictures are in other clusters now.</p>
      <a class="button primary" href="#/clusters">
        All clusters
      </a>
    </section>
  );
}
