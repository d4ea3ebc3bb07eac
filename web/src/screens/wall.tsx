// The wall of clusters: look, name, select and merge; it stays still while clusters change.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Cluster, Filter } from "../api/types";
import { ActionBar } from "../parts/action-bar";
import { ClusterCard } from "../parts/cluster-card";
import { AskOnly, Filters } from "../parts/filters";
import { useKeys } from "../parts/keys";
import { Loading } from "../parts/loading";
import { NameSearch } from "../parts/name-search";
import { type Pages, usePages } from "../parts/paged-list";
import { Segmented } from "../parts/segmented";
import { StillNotice, useStill } from "../parts/still";
import { count } from "../parts/text";
import { type Cell, VirtualGrid } from "../parts/virtual-grid";
import { mergeClusters, nameCluster } from "../state/change";
import { isEmpty, queryOf, wanted } from "../state/filters";
import { singleKeys } from "../state/settings";
import { SORTS, type Sort, wallSort, wallTop } from "../state/wall";
import { worded } from "../state/words";

const PAGE = 60;
const MERGE_KEY = { merge: "m" };
const CLEAR_KEY = { clear: "Escape" };

const heightOf = (width: number): number => 0.75 * (width - 16) + (width < 200 ? 122 : 102);

export function WallView() {
  const sort = wallSort.value;
  const filter = wanted.value;
  const words = !isEmpty(filter);
  const load = useCallback(
    async (offset: number, limit: number) => {
      const wall = await api.clusters(sort, offset, limit, queryOf(filter));
      return { total: wall.total, rows: wall.clusters, pictures: wall.n_images };
    },
    [sort, filter],
  );
  const pages = usePages<Cluster>(load, PAGE);
  const { pictures } = pages;
  const still = useStill(pages.reload);
  useEffect(() => void pages.reload(), [sort, filter]);
  useReturn(pages.total !== null);
  useEffect(() => {
    if (pages.total === 0 && !words && still.joined) still.reload(); // nothing is there that could jump
  }, [still.joined, pages.total]);
  const order = (next: Sort) => {
    wallSort.value = next;
    scrollTo(0, 0);
  };
  const want = (next: Filter) => {
    wanted.value = next;
    scrollTo(0, 0);
  };
  if (pages.total === null) return <Loading what={worded`Looking at the clusters…`} />;
  return (
    <section class="wall" aria-labelledby="wall-title">
      <div class="toolbar">
        <h1 id="wall-title">{worded`Clusters`}</h1>
        <span class="quiet">
          {count(pages.total, "cluster")}
          {words ? ` with ${count(pictures, "picture")} found` : ` of ${count(pictures, "picture")}`}
        </span>
        <StillNotice still={still} />
        <NameSearch words={filter.q} onWords={(q) => want({ ...filter, q })} />
        <a class="button" href="#/browse">
          Browse examples
        </a>
        <Segmented label="Order" value={sort} options={SORTS} onChange={order} />
        <Filters filter={filter} onFilter={want} />
        {words && pictures > 1 && <AskOnly n={pictures} />}
      </div>
      {pages.total === 0 && (
        <p class="empty">
          {words
            ? worded`No cluster has such a name, and no picture that is wanted.`
            : worded`There are no clusters yet. They appear when the first pictures are read.`}
        </p>
      )}
      <Cards pages={pages} total={pages.total} />
    </section>
  );
}

/** The clusters as cards: selected with Space or a tick, merged with M or by dropping one on another. */
function Cards({ pages, total }: { pages: Pages<Cluster>; total: number }) {
  const [picked, setPicked] = useState<ReadonlyMap<number, Cluster>>(new Map());
  const dragged = useRef<Cluster | null>(null);
  const clear = () => setPicked(new Map());
  const pick = (cluster: Cluster) => setPicked(withOrWithout(picked, cluster));
  const merge = async (clusters: Cluster[]) => {
    if (clusters.length > 1 && (await mergeClusters(clusters))) clear();
  };
  const drop = (onto: Cluster) => {
    const one = dragged.current;
    if (!one) return;
    const those = picked.has(one.id) ? [...picked.values()] : [one];
    void merge([onto, ...those.filter((cluster) => cluster.id !== onto.id)]);
  };
  const rename = async (index: number, cluster: Cluster, name: string) => {
    pages.patch(index, { ...cluster, name });
    if (!(await nameCluster(cluster.id, name))) pages.patch(index, cluster);
  };
  useEffect(() => {
    const here = pages.rows();
    if (here.length === total) setPicked((now) => stillThere(now, here)); // what was merged or emptied is not selected
  }, [pages]);
  const key = (event: KeyboardEvent, index: number) => {
    const cluster = pages.at(index);
    if (!cluster || event.ctrlKey || event.metaKey || event.altKey) return;
    const onButton = (event.target as HTMLElement).closest("button, label") !== null;
    if (event.key === " " && !onButton) pick(cluster);
    else if (event.key === "F2") pressRename(event.currentTarget as HTMLElement, index);
    else return;
    event.preventDefault();
  };
  useKeys(MERGE_KEY, singleKeys.value && picked.size > 1, () => void merge([...picked.values()]));
  useKeys(CLEAR_KEY, picked.size > 0, clear);
  const card = (index: number, cell: Cell) => {
    const cluster = pages.at(index);
    if (!cluster) return <div class="card waiting" />;
    return (
      <ClusterCard
        cluster={cluster}
        cell={cell}
        picked={picked.has(cluster.id)}
        onPick={() => pick(cluster)}
        onName={(name) => void rename(index, cluster, name)}
        onDrag={() => {
          dragged.current = cluster;
        }}
        onDropped={() => drop(cluster)}
      />
    );
  };
  const minWidth = innerWidth < 600 ? 160 : 220;
  const grid = { total, minWidth, height: heightOf, label: worded`Clusters` };
  return (
    <>
      <VirtualGrid {...grid} onRange={pages.need} onKey={key} render={card} />
      {picked.size > 0 && (
        <PickedBar n={picked.size} onMerge={() => void merge([...picked.values()])} onClear={clear} />
      )}
    </>
  );
}

function withOrWithout(picked: ReadonlyMap<number, Cluster>, cluster: Cluster): Map<number, Cluster> {
  const next = new Map(picked);
  if (!next.delete(cluster.id)) next.set(cluster.id, cluster);
  return next;
}

/** Those of the picked clusters that are still there, as they are now. */
function stillThere(picked: ReadonlyMap<number, Cluster>, here: Cluster[]): ReadonlyMap<number, Cluster> {
  if (!picked.size) return picked;
  const now = new Map(here.filter((cluster) => picked.has(cluster.id)).map((cluster) => [cluster.id, cluster]));
  const isSame = now.size === picked.size && [...now].every(([id, cluster]) => picked.get(id) === cluster);
  return isSame ? picked : now;
}

const pressRename = (grid: HTMLElement, index: number): void =>
  grid.querySelector<HTMLElement>(`[data-index="${index}"] [data-rename]`)?.click();

function PickedBar({ n, onMerge, onClear }: { n: number; onMerge: () => void; onClear: () => void }) {
  return (
    <ActionBar label={worded`Selected clusters`}>
      <span>{count(n, "cluster")} selected</span>
      <button type="button" class="primary" aria-disabled={n < 2} onClick={onMerge}>
        Merge {singleKeys.value && <kbd>M</kbd>}
      </button>
      <button type="button" onClick={onClear}>
        Clear
      </button>
    </ActionBar>
  );
}

/** Scroll to where one was when the list is there again, and remember it when leaving. */
function useReturn(there: boolean): void {
  const returned = useRef(false);
  useEffect(() => {
    if (!there || returned.current) return;
    returned.current = true;
    if (wallTop.peek()) scrollTo(0, wallTop.peek());
  }, [there]);
  useEffect(() => {
    const remember = () => {
      if (location.hash.startsWith("#/clusters") && returned.current) wallTop.value = scrollY;
    };
    addEventListener("scroll", remember, { passive: true });
    return () => removeEventListener("scroll", remember);
  }, []);
}
