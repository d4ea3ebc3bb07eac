// The pictures of a group that nobody has looked at, on a grid: tap the odd ones out, and one look is many answers.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Grid } from "../api/types";
import { ActionBar } from "../parts/action-bar";
import { GridTiles } from "../parts/grid-tiles";
import { GroupMark } from "../parts/group-mark";
import { Icon } from "../parts/icons";
import { useKeys } from "../parts/keys";
import { LastTaps } from "../parts/last-taps";
import { Loading } from "../parts/loading";
import { Picture } from "../parts/picture";
import { count, titleOf } from "../parts/text";
import { propose } from "../state/change";
import { useNews } from "../state/news";
import { isTooSoon } from "../state/question";
import { toggled } from "../state/selection";
import { rememberTaps } from "../state/taps";
import { attempt, complain } from "../state/toasts";

/** The grid of a group; null where the group is gone. */
const readGrid = (cluster: number): Promise<Grid | null> =>
  api.grid(cluster).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  });

export function CheckView({ cluster }: { cluster: number }) {
  const [grid, setGrid] = useState<Grid | null | undefined>(undefined);
  const [isFinished, setFinished] = useState(false);
  const shown = useRef(cluster);
  shown.current = cluster;
  const load = useCallback(() => {
    setFinished(false);
    readGrid(cluster).then((found) => shown.current === cluster && setGrid(found), complain);
  }, [cluster]);
  useEffect(load, [load]);
  useNews("changed", load);
  const goOn = (now: Grid | null, before: Grid) => {
    const next = now ? now.next : before.next;
    if (now?.items.length) setGrid(now);
    else if (next !== null && next !== cluster) location.hash = `#/clusters/${next}/check`;
    else setFinished(true);
  };
  if (isFinished) return <Finished />;
  if (grid === undefined || (grid && grid.cluster !== cluster)) return <Loading what="Looking at the cluster…" />;
  if (grid === null) return <Nothing />;
  if (!grid.items.length) return <AllSettled grid={grid} />;
  return <Checking key={`${cluster} ${grid.items.join()}`} grid={grid} onDone={(now) => goOn(now, grid)} />;
}

const SEND_KEY = { send: "Enter" };

function Checking({ grid, onDone }: { grid: Grid; onDone: (now: Grid | null) => void }) {
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
  useKeys(SEND_KEY, true, () => void send());
  return (
    <section class="check" aria-labelledby="check-title">
      <Head grid={grid} />
      <GridTiles items={items} odd={odd} onToggle={(id) => setOdd(toggled(odd, id))} onSend={() => void send()} />
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
      </ActionBar>
    </section>
  );
}

const wordsOf = (n: number, odd: number): string =>
  odd ? `${count(odd, "picture")} taken out, ${n - odd} belong` : `All ${count(n, "picture")} belong together`;

/** What is looked at, with pictures that are known to belong for reference. */
function Head({ grid }: { grid: Grid }) {
  const { cluster, core, items, n_left: left } = grid;
  return (
    <>
      <div class="toolbar">
        <a class="back" href={`#/clusters/${cluster}`} aria-label="Back to the cluster">
          <Icon name="left" /> <span>Back</span>
        </a>
        <h1 id="check-title">Tap the odd ones out</h1>
        <GroupMark id={cluster} />
        <bdi class="quiet">
          {titleOf(grid)}
          {left > items.length && `; the ${items.length} most doubtful of ${left} that are open`}
        </bdi>
      </div>
      {core.length > 0 && (
        <figure class="core">
          <figcaption>{core.length === 1 ? "This one belongs" : "These belong"} to it:</figcaption>
          {core.map((id) => (
            <Picture key={id} id={id} alt={`Picture ${id}, which belongs to it`} />
          ))}
        </figure>
      )}
    </>
  );
}

function AllSettled({ grid }: { grid: Grid }) {
  return (
    <section class="centre">
      <h1>All of this group is settled</h1>
      <p>Nothing of it is left to look at.</p>
      <p class="row">
        {grid.next !== null && (
          <a class="button primary" href={`#/clusters/${grid.next}/check`}>
            Check the next group
          </a>
        )}
        <a class="button" href={`#/clusters/${grid.cluster}`}>
          Back to this one
        </a>
      </p>
      <LastTaps />
    </section>
  );
}

function Finished() {
  return (
    <section class="centre" aria-live="polite">
      <h1>Every group is checked</h1>
      <p>No picture of any group is left to look at.</p>
      <a class="button primary" href="#/clusters">
        All clusters
      </a>
      <LastTaps />
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
