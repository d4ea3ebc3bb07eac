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
import { complain } from "../state/toasts";
import { say } from "../state/undo";

export function CheckView({ cluster }: { cluster: number }) {
  const [grid, setGrid] = useState<Grid | null>(null);
  const [odd, setOdd] = useState<Set<number>>(new Set());
  const [sent, setSent] = useState<string | null>(null);
  const [gone, setGone] = useState(false);
  const since = useRef(performance.now());
  const busy = useRef(false);

  const load = useCallback(() => {
    setSent(null);
    setOdd(new Set());
    api.grid(cluster).then(
      (found) => {
        setGrid(found);
        setGone(false);
        since.current = performance.now();
      },
      (error: unknown) => (error instanceof Refused && error.status === 404 ? setGone(true) : complain(error)),
    );
  }, [cluster]);
  useEffect(load, [load]);

  const toggle = (id: number) => {
    const now = new Set(odd);
    if (!now.delete(id)) now.add(id);
    setOdd(now);
  };
  const possible = grid !== null && odd.size < grid.items.length;
  const send = async () => {
    if (!grid || !possible || busy.current) return;
    busy.current = true;
    try {
      const seconds = Math.round(performance.now() - since.current) / 1000;
      const done = await api.sendGrid({ items: grid.items, odd: [...odd], seconds });
      publish("changed", { seq: done.seq });
      const words = odd.size ? `${count(odd.size, "picture")} taken out` : "All of them belong together";
      setSent(words);
      say(words, true);
    } catch (error) {
      complain(error);
    } finally {
      busy.current = false;
    }
  };

  if (gone) return <Nothing />;
  if (!grid) return <Loading what="Looking at the cluster…" />;
  if (sent !== null) return <Sent words={sent} cluster={cluster} onAgain={load} />;
  return (
    <section class="check" aria-labelledby="check-title">
      <div class="toolbar">
        <a class="back" href={`#/clusters/${cluster}`}>
          <Icon name="left" /> <span>Back</span>
        </a>
        <h1 id="check-title">Tap the odd ones out</h1>
        <bdi class="quiet">
          {titleOf(grid)}
          {grid.items.length < grid.size && `; these ${grid.items.length} are its most typical and its most doubtful`}
        </bdi>
      </div>
      <ul class="tiles" onKeyDown={arrows}>
        {grid.items.map((id, k) => (
          <li key={id}>
            <button
              type="button"
              class={odd.has(id) ? "tile odd" : "tile"}
              aria-pressed={odd.has(id)}
              aria-label={`Picture ${k + 1} of ${grid.items.length} is odd`}
              onClick={() => toggle(id)}
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
      <div class="selection" role="group" aria-label="Answer">
        <span role="status">
          {odd.size ? `${odd.size} odd, ${grid.items.length - odd.size} belong together` : "No odd one so far"}
        </span>
        <button type="button" class="primary" aria-disabled={!possible} onClick={() => void send()}>
          {odd.size ? "Send" : "All belong together"}
        </button>
        {odd.size > 0 && (
          <button type="button" onClick={() => setOdd(new Set())}>
            Clear
          </button>
        )}
      </div>
    </section>
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
