// The wall of clusters: look, name, select and merge; it stays still while clusters change.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, type Cluster } from "./api";
import { propose } from "./change";
import { Icon } from "./icons";
import { useStill } from "./news";
import { usePages } from "./pages";
import { complain, say } from "./toast";
import { count, Cover, InlineName, Loading, Segmented, Stillness, titleOf } from "./ui";
import { Calm, VirtualGrid, type Cell } from "./virtual";

const PAGE = 60;
const SORTS = [
  ["size", "Largest"],
  ["doubt", "Least certain"],
  ["name", "Name"],
] as const;
type Sort = (typeof SORTS)[number][0];

// Where one was, for when one comes back from a cluster.
const place: { sort: Sort; top: number } = { sort: "size", top: 0 };

export function mergeClusters(clusters: Cluster[]): Promise<boolean> {
  return propose({
    title: `Merge ${count(clusters.length, "cluster")}?`,
    verb: "Merge",
    clusters,
    run: (more) => api.merge(clusters.map((cluster) => cluster.id), more),
    done: () => `Merged ${count(clusters.length, "cluster")}`,
  });
}

export function WallView() {
  const [sort, setSort] = useState<Sort>(place.sort);
  const [picked, setPicked] = useState<Map<number, Cluster>>(new Map());
  const [pictures, setPictures] = useState(0);
  const dragged = useRef<Cluster | null>(null);
  const load = useCallback(
    async (offset: number, limit: number) => {
      const wall = await api.clusters(sort, offset, limit);
      setPictures(wall.n_images);
      return { total: wall.total, rows: wall.clusters };
    },
    [sort],
  );
  const pages = usePages<Cluster>(load, PAGE);
  const still = useStill(pages.reload);
  const height = useCallback((width: number) => 0.75 * (width - 16) + 92, []);

  useEffect(() => pages.reload(), [sort]);
  useReturn(pages.total !== null);
  useEffect(() => {
    if (pages.total === 0 && still.joined) still.reload(); // nothing is there that could jump
  }, [still.joined, pages.total]);

  const pick = (cluster: Cluster) => {
    const now = new Map(picked);
    if (!now.delete(cluster.id)) now.set(cluster.id, cluster);
    setPicked(now);
  };
  const merge = async (clusters: Cluster[]) => {
    if (clusters.length > 1 && (await mergeClusters(clusters))) setPicked(new Map());
  };
  const dropped = (onto: Cluster) => {
    const one = dragged.current;
    if (!one) return;
    const those = picked.has(one.id) ? [...picked.values()] : [one];
    void merge([onto, ...those.filter((cluster) => cluster.id !== onto.id)]);
  };

  const rename = async (index: number, cluster: Cluster, name: string) => {
    pages.patch(index, { ...cluster, name });
    try {
      await api.name(cluster.id, name);
      say(name ? `Named ${name}` : "Name taken away", true);
    } catch (error) {
      pages.patch(index, cluster);
      complain(error);
    }
  };

  const key = (event: KeyboardEvent, index: number) => {
    const cluster = pages.at(index);
    if (!cluster || event.ctrlKey || event.metaKey || event.altKey) return;
    const onButton = (event.target as HTMLElement).closest("button, label") !== null;
    if (event.key === " " && !onButton) pick(cluster);
    else if (event.key === "F2") {
      (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-index="${index}"] [data-rename]`)?.click();
    } else if (event.key === "m" && picked.size > 1) void merge([...picked.values()]);
    else if (event.key === "Escape" && picked.size) setPicked(new Map());
    else return;
    event.preventDefault();
  };

  if (pages.total === null) return <Loading what="Looking at the clusters…" />;
  return (
    <section class="wall" aria-labelledby="wall-title">
      <div class="toolbar">
        <h1 id="wall-title">Clusters</h1>
        <span class="quiet">
          {count(pages.total, "cluster")} of {count(pictures, "picture")}
        </span>
        <Stillness still={still} />
        <a class="button" href="#/browse">
          Browse examples
        </a>
        <Segmented label="Order" value={sort} options={SORTS} onChange={(next) => {
          place.sort = next;
          setSort(next);
          scrollTo(0, 0);
        }} />
      </div>
      {pages.total === 0 && <p class="empty">There are no clusters yet. They appear when the first pictures are read.</p>}
      <VirtualGrid
        total={pages.total}
        minWidth={innerWidth < 600 ? 160 : 220}
        height={height}
        label="Clusters"
        onRange={pages.need}
        onKey={key}
        render={(index, cell) => {
          const cluster = pages.at(index);
          if (!cluster) return <div class="card waiting" />;
          return (
            <Card
              cluster={cluster}
              cell={cell}
              picked={picked.has(cluster.id)}
              onPick={() => pick(cluster)}
              onName={(name) => void rename(index, cluster, name)}
              onDrag={() => (dragged.current = cluster)}
              onDropped={() => dropped(cluster)}
            />
          );
        }}
      />
      {picked.size > 0 && (
        <div class="selection" role="group" aria-label="Selected clusters">
          <span>{count(picked.size, "cluster")} selected</span>
          <button class="primary" aria-disabled={picked.size < 2} onClick={() => void merge([...picked.values()])}>
            Merge <kbd>M</kbd>
          </button>
          <button onClick={() => setPicked(new Map())}>Clear</button>
        </div>
      )}
    </section>
  );
}

/** Scroll to where one was when the list is there again, and remember it when leaving. */
function useReturn(there: boolean): void {
  const returned = useRef(false);
  useEffect(() => {
    if (!there || returned.current) return;
    returned.current = true;
    if (place.top) scrollTo(0, place.top);
  }, [there]);
  useEffect(() => {
    const remember = () => {
      if (location.hash.startsWith("#/clusters") && returned.current) place.top = scrollY;
    };
    addEventListener("scroll", remember, { passive: true });
    return () => removeEventListener("scroll", remember);
  }, []);
}

interface CardProps {
  cluster: Cluster;
  cell: Cell;
  picked: boolean;
  onPick: () => void;
  onName: (name: string) => void;
  onDrag: () => void;
  onDropped: () => void;
}

const DRAGGED = "application/x-likewise-cluster";

function Card({ cluster, cell, picked, onPick, onName, onDrag, onDropped }: CardProps) {
  const [over, setOver] = useState(false);
  const tab = cell.active ? 0 : -1;
  const title = titleOf(cluster);
  return (
    <article
      class={`card${picked ? " picked" : ""}${over ? " over" : ""}`}
      draggable
      onDragStart={(event) => {
        event.dataTransfer?.setData(DRAGGED, "");
        onDrag();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(DRAGGED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDropped();
      }}
    >
      <a href={`#/clusters/${cluster.id}`} tabIndex={tab} data-focus draggable={false} aria-label={`Open ${title}, ${count(cluster.size, "picture")}${cluster.confirmed ? ", confirmed" : ""}`}>
        <span class="cover-place">
          <Calm flying={cell.flying}>
            <Cover ids={cluster.cover} light />
          </Calm>
        </span>
      </a>
      <label class="pick">
        <input type="checkbox" checked={picked} tabIndex={tab} onChange={onPick} aria-label={`Select ${title}`} />
      </label>
      <div class="about">
        <InlineName name={cluster.name} what={`cluster of ${count(cluster.size, "picture")}`} onSave={onName} tabIndex={tab} />
        <p class="facts">
          <span>{count(cluster.size, "picture")}</span>
          {cluster.confirmed && (
            <span class="tag good">
              <Icon name="check" /> <span>confirmed</span>
            </span>
          )}
          {cluster.n_suggested > 0 && <span class="tag">+{cluster.n_suggested} suggested</span>}
          {!cluster.confirmed && <Doubt share={cluster.doubt} />}
        </p>
      </div>
    </article>
  );
}

/** Doubt is at most a half: there another cluster is as close. */
function Doubt({ share }: { share: number }) {
  const part = Math.min(1, 2 * share);
  return (
    <span class="doubt" role="img" aria-label={`doubt ${Math.round(100 * part)} %`} title={`Doubt ${Math.round(100 * part)} %`}>
      <span style={{ width: `${100 * part}%` }} />
    </span>
  );
}
