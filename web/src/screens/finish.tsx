// The end, led: group by group, the doubtful ones on a grid, then a name and a yes.
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Cluster, Grid } from "../api/types";
import { CheckGrid, readGrid } from "../parts/check-grid";
import { GroupMark } from "../parts/group-mark";
import { Icon } from "../parts/icons";
import { KnownNames } from "../parts/inline-name";
import { Loading } from "../parts/loading";
import { Picture } from "../parts/picture";
import { count, openIn, titleOf } from "../parts/text";
import { nameCluster } from "../state/change";
import { confirm } from "../state/cluster-changes";
import { useNews } from "../state/news";
import { complain } from "../state/toasts";
import { worded } from "../state/words";

const MOST = 1000;

/** A picture by itself is a group too, but there is nothing to confirm of it unless it has a name. */
export const isToFinish = (cluster: Cluster): boolean => !cluster.confirmed && cluster.size > 1;

export function FinishView() {
  const [clusters, setClusters] = useState<Cluster[] | null>(null);
  const [later, setLater] = useState<ReadonlySet<number>>(new Set());
  const [looked, setLooked] = useState<ReadonlySet<number>>(new Set());
  const current = useRef<number | null>(null); // it stays until it is done, though another has become larger
  const load = useCallback(() => {
    api.clusters("size", 0, MOST).then((found) => setClusters(found.clusters), complain);
  }, []);
  useEffect(load, [load]);
  useNews("changed", load);
  useNews("clusters", load);
  if (!clusters) return <Loading what={worded`Looking at the groups…`} />;
  const left = clusters.filter(isToFinish);
  const isDue = (cluster: Cluster) => !later.has(cluster.id);
  const next = left.find((cluster) => isDue(cluster) && cluster.id === current.current) ?? left.find(isDue) ?? left[0];
  current.current = next?.id ?? null;
  const done = clusters.filter((cluster) => cluster.confirmed).length;
  if (!next) return <AllDone confirmed={done} single={clusters.length - done} />;
  const onLater = () =>
    setLater(new Set(left.every(({ id }) => later.has(id) || id === next.id) ? [] : [...later, next.id]));
  const status = (
    <span class="quiet" role="status">
      {done} of {count(done + left.length, "group")} confirmed
    </span>
  );
  if (openIn(next) > 0 && !looked.has(next.id)) {
    const onLooked = () => setLooked(new Set([...looked, next.id]));
    return <DoubtfulGroup key={next.id} cluster={next} status={status} onLooked={onLooked} onLater={onLater} />;
  }
  return (
    <section class="finish" aria-labelledby="finish-title">
      <div class="toolbar">
        <h1 id="finish-title">{worded`Is this group right?`}</h1>
        {status}
      </div>
      <GroupToFinish key={next.id} cluster={next} onLater={onLater} />
    </section>
  );
}

interface DoubtfulProps {
  cluster: Cluster;
  status: ComponentChildren;
  onLooked: () => void;
  onLater: () => void;
}

/** A group with open pictures: they are looked at on a grid before it gets its name. */
function DoubtfulGroup({ cluster, status, onLooked, onLater }: DoubtfulProps) {
  const [grid, setGrid] = useState<Grid | null>(null);
  const show = (found: Grid | null) => (found?.items.length ? setGrid(found) : onLooked());
  useEffect(() => void readGrid(cluster.id).then(show, complain), [cluster.id]);
  if (!grid) return <Loading what={worded`Looking at the group…`} />;
  const head = (
    <div class="toolbar">
      <h1 id="check-title">{worded`Which of these do not belong?`}</h1>
      <GroupMark id={cluster.id} /> <bdi class="quiet">{titleOf(cluster)}</bdi>
      {status}
    </div>
  );
  return (
    <CheckGrid key={grid.items.join()} grid={grid} head={head} onDone={show}>
      <button type="button" onClick={onLater}>
        Later
      </button>
    </CheckGrid>
  );
}

function GroupToFinish({ cluster, onLater }: { cluster: Cluster; onLater: () => void }) {
  const [name, setName] = useState(cluster.name);
  const field = useRef<HTMLInputElement>(null);
  const busy = useRef(false);
  useEffect(() => field.current?.focus(), []);
  const finish = async (event: Event) => {
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    const wanted = name.trim();
    const isNamed = wanted === cluster.name || (await nameCluster(cluster.id, wanted));
    if (isNamed) await confirm(cluster.id);
    busy.current = false;
  };
  return (
    <form class="box" onSubmit={(event) => void finish(event)}>
      <p class="row">
        <GroupMark id={cluster.id} /> <bdi>{titleOf(cluster)}</bdi>{" "}
        <span class="quiet">{count(cluster.size, "picture")}</span>
      </p>
      <ul class="finish-cover">
        {cluster.cover.map((id) => (
          <li key={id}>
            <Picture id={id} alt={worded`Picture ${id} of the group`} />
          </li>
        ))}
      </ul>
      <label class="field">
        Its name
        <input
          ref={field}
          value={name}
          maxLength={200}
          list="known-names"
          autocomplete="off"
          placeholder="None, if you like"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <KnownNames without={cluster.name} />
      <p class="row">
        <button type="submit" class="primary">
          Complete and right <kbd>Enter</kbd>
        </button>
        <a class="button" href={`#/clusters/${cluster.id}`}>
          See all of it
        </a>
        <button type="button" onClick={onLater}>
          Later
        </button>
      </p>
    </form>
  );
}

function AllDone({ confirmed, single }: { confirmed: number; single: number }) {
  return (
    <section class="centre">
      <span class="finished" aria-hidden="true">
        <Icon name="check" />
      </span>
      <h1>{worded`Every group is confirmed`}</h1>
      <p>
        {count(confirmed, "group")}
        {single > 0 && `, and ${count(single, "picture")} on ${single === 1 ? "its" : "their"} own`}.
      </p>
      <p class="row">
        <a class="button primary" href="#/export">
          Export
        </a>
        <a class="button" href="#/clusters">
          {worded`Look at the clusters`}
        </a>
      </p>
    </section>
  );
}
