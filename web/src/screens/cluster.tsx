// One cluster: its pictures by doubt, and what can be done about them.
import { useCallback, useEffect, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Cluster, ClusterPage, Member } from "../api/types";
import { ClusterPicker } from "../parts/cluster-picker";
import { Icon } from "../parts/icons";
import { InlineName } from "../parts/inline-name";
import { Loading } from "../parts/loading";
import { MemberGrid } from "../parts/member-grid";
import { usePages } from "../parts/paged-list";
import { Picture } from "../parts/picture";
import { Segmented } from "../parts/segmented";
import { StillNotice, useStill } from "../parts/still";
import { TagDialog } from "../parts/tag-line";
import { count, titleOf } from "../parts/text";
import { mergeClusters, nameCluster } from "../state/change";
import { accept, confirm, leaveOut, moveTo, splitOff, unconfirm } from "../state/cluster-changes";
import { type Selection, useSelection } from "../state/selection";

const PAGE = 200;
const SORTS = [
  ["central", "Most typical"],
  ["doubt", "Most doubtful"],
] as const;
type Sort = (typeof SORTS)[number][0];

export function ClusterView({ id }: { id: number }) {
  const [sort, setSort] = useState<Sort>("central");
  const { about, setAbout, gone, pages } = useCluster(id, sort);
  const still = useStill(pages.reload);
  const selection = useSelection((index) => pages.at(index)?.id);
  useEffect(() => pages.reload(), [id, sort]);
  useEffect(() => selection.clear(), [id]);
  const clearWhen = async (done: Promise<boolean>) => {
    if (await done) selection.clear();
  };
  const rename = async (name: string) => {
    if (await nameCluster(id, name)) setAbout((now) => now && { ...now, name });
  };
  if (gone) return <Gone reason={gone} />;
  if (!about || pages.total === null) return <Loading what="Looking at the cluster…" />;
  return (
    <section class="cluster" aria-labelledby="cluster-title">
      <div class="toolbar">
        <Title cluster={about} onName={(name) => void rename(name)} />
        <StillNotice still={still} />
        <span class="spring" />
        <Segmented
          label="Order"
          value={sort}
          options={SORTS}
          onChange={(next) => {
            setSort(next);
            scrollTo(0, 0);
          }}
        />
        <Tools cluster={about} id={id} onChange={(done) => void clearWhen(done)} />
      </div>
      {about.suggested.length > 0 && (
        <Suggested ids={about.suggested} onAccept={(items) => void clearWhen(accept(id, items))} />
      )}
      <MemberGrid
        label={`Pictures of ${titleOf(about)}`}
        pages={pages}
        total={pages.total}
        selection={selection}
        first={about.cover[0]}
      />
      <SelectionBar id={id} size={about.size} selection={selection} onChange={(done) => void clearWhen(done)} />
    </section>
  );
}

/** What is known of the cluster, with its pictures in the order asked for; `gone` says why there is none. */
function useCluster(id: number, sort: Sort) {
  const [about, setAbout] = useState<ClusterPage | null>(null);
  const [gone, setGone] = useState("");
  const load = useCallback(
    async (offset: number, limit: number) => {
      try {
        const found = await api.cluster(id, sort, offset, limit);
        setAbout(found);
        setGone("");
        return { total: found.size, rows: found.members };
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 404) throw error;
        setGone(error.message);
        return { total: 0, rows: [] };
      }
    },
    [id, sort],
  );
  return { about, setAbout, gone, pages: usePages<Member>(load, PAGE) };
}

function Title({ cluster, onName }: { cluster: Cluster; onName: (name: string) => void }) {
  const size = count(cluster.size, "picture");
  return (
    <>
      <a class="back" href="#/clusters" aria-label="All clusters">
        <Icon name="left" /> <span>All clusters</span>
      </a>
      <h1 id="cluster-title" class="hidden">
        {titleOf(cluster)}
      </h1>
      <InlineName name={cluster.name} what={`this cluster of ${size}`} onSave={onName} />
      <span class="quiet">{size}</span>
      {cluster.confirmed && (
        <span class="tag good">
          <Icon name="check" /> confirmed
        </span>
      )}
    </>
  );
}

interface ToolsProps {
  cluster: Cluster;
  id: number;
  onChange: (done: Promise<boolean>) => void;
}

function Tools({ cluster, id, onChange }: ToolsProps) {
  const [picking, setPicking] = useState(false);
  return (
    <>
      <span class="tools">
        <a class="button" href={`#/clusters/${id}/check`}>
          Check on a grid
        </a>
        <button type="button" onClick={() => setPicking(true)}>
          Merge with…
        </button>
        <button
          type="button"
          class={cluster.confirmed ? "" : "primary"}
          onClick={() => (cluster.confirmed ? void unconfirm(id) : onChange(confirm(id)))}
        >
          {cluster.confirmed ? "Unconfirm" : "Confirm"}
        </button>
      </span>
      {picking && (
        <ClusterPicker
          title="Merge with"
          without={id}
          onClose={() => setPicking(false)}
          onChoose={(other) => {
            setPicking(false);
            void mergeClusters([cluster, other]);
          }}
        />
      )}
    </>
  );
}

interface SelectionProps {
  id: number;
  size: number;
  selection: Selection;
  onChange: (done: Promise<boolean>) => void;
}

/** What can be done with the selected pictures. */
function SelectionBar({ id, size, selection, onChange }: SelectionProps) {
  const [open, setOpen] = useState<"move" | "tag" | null>(null);
  const chosen = [...selection.chosen];
  const isSome = chosen.length < size;
  const close = () => setOpen(null);
  return (
    <>
      <p class="hidden" role="status">
        {chosen.length > 0 && `${count(chosen.length, "picture")} selected`}
      </p>
      {chosen.length > 0 && (
        <fieldset class="selection" aria-label="Selected pictures">
          <span>{chosen.length.toLocaleString("en")} selected</span>
          <button
            type="button"
            class="primary"
            aria-disabled={!isSome}
            onClick={() => isSome && onChange(splitOff(id, chosen))}
          >
            Split off
          </button>
          <button type="button" onClick={() => setOpen("move")}>
            Move to…
          </button>
          <button type="button" onClick={() => setOpen("tag")}>
            Tag…
          </button>
          <button type="button" onClick={() => onChange(leaveOut(chosen))}>
            Bad
          </button>
          <button type="button" onClick={selection.clear}>
            Clear
          </button>
        </fieldset>
      )}
      {open === "tag" && chosen.length > 0 && <TagDialog ids={chosen} onClose={close} />}
      {open === "move" && (
        <ClusterPicker
          title={`Move ${count(chosen.length, "picture")} to`}
          without={id}
          onClose={close}
          onChoose={(other) => {
            close();
            onChange(moveTo(other, chosen));
          }}
        />
      )}
    </>
  );
}

function Suggested({ ids, onAccept }: { ids: number[]; onAccept: (items: number[]) => void }) {
  return (
    <section class="suggested" aria-labelledby="suggested-title">
      <header>
        <h2 id="suggested-title">{count(ids.length, "picture")} might belong here</h2>
        <button type="button" onClick={() => onAccept(ids)}>
          Accept all
        </button>
      </header>
      <ul>
        {ids.slice(0, 40).map((id) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onAccept([id])}
              aria-label={`Accept picture ${id}`}
              title="Accept this one"
            >
              <Picture id={id} alt="" />
              <span class="tick">
                <Icon name="plus" />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Gone({ reason }: { reason: string }) {
  return (
    <section class="centre">
      <h1>This cluster is gone</h1>
      <p>{reason}: its pictures are in other clusters now.</p>
      <p>
        <a class="button primary" href="#/clusters">
          All clusters
        </a>
      </p>
    </section>
  );
}
