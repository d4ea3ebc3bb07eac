// The pictures of a group that nobody has looked at, on a grid: tap the odd ones out, and one look is many answers.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Grid } from "../api/types";
import { CheckGrid, readGrid } from "../parts/check-grid";
import { GroupMark } from "../parts/group-mark";
import { Icon } from "../parts/icons";
import { LastTaps } from "../parts/last-taps";
import { Loading } from "../parts/loading";
import { titleOf } from "../parts/text";
import { useNews } from "../state/news";
import { complain } from "../state/toasts";
import { worded } from "../state/words";

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
  if (grid === undefined || (grid && grid.cluster !== cluster))
    return <Loading what={worded`Looking at the cluster…`} />;
  if (grid === null) return <Nothing />;
  if (!grid.items.length) return <AllSettled grid={grid} />;
  return (
    <CheckGrid
      key={`${cluster} ${grid.items.join()}`}
      grid={grid}
      head={<Head grid={grid} />}
      onDone={(now) => goOn(now, grid)}
    />
  );
}

/** What is looked at. */
function Head({ grid }: { grid: Grid }) {
  const { cluster, items, n_left: left } = grid;
  return (
    <div class="toolbar">
      <a class="back" href={`#/clusters/${cluster}`} aria-label={worded`Back to the cluster`}>
        <Icon name="left" /> <span>Back</span>
      </a>
      <h1 id="check-title">Tap the odd ones out</h1>
      <GroupMark id={cluster} />
      <bdi class="quiet">
        {titleOf(grid)}
        {left > items.length && `; the ${items.length} most doubtful of ${left} that are open`}
      </bdi>
    </div>
  );
}

function AllSettled({ grid }: { grid: Grid }) {
  return (
    <section class="centre">
      <h1>{worded`All of this group is settled`}</h1>
      <p>Nothing of it is left to look at.</p>
      <p class="row">
        {grid.next !== null && (
          <a class="button primary" href={`#/clusters/${grid.next}/check`}>
            {worded`Check the next group`}
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
      <h1>{worded`Every group is checked`}</h1>
      <p>{worded`No picture of any group is left to look at.`}</p>
      <a class="button primary" href="#/clusters">
        {worded`All clusters`}
      </a>
      <LastTaps />
    </section>
  );
}

function Nothing() {
  return (
    <section class="centre">
      <h1>{worded`This cluster is gone`}</h1>
      <p>{worded`Its pictures are in other clusters now.`}</p>
      <a class="button primary" href="#/clusters">
        {worded`All clusters`}
      </a>
    </section>
  );
}
