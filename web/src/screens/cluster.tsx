// One cluster: its pictures by doubt, and what can be done about them.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Cluster, ClusterPage, Member } from "../api/types";
import { Gauge, OpenCount } from "../parts/cluster-card";
import { ClusterPicker } from "../parts/cluster-picker";
import { GroupMark, hueStyle } from "../parts/group-mark";
import { Icon } from "../parts/icons";
import { InlineName } from "../parts/inline-name";
import { Loading } from "../parts/loading";
import { MemberGrid } from "../parts/member-grid";
import { usePages } from "../parts/paged-list";
import { PictureActions } from "../parts/picture-actions";
import { Segmented } from "../parts/segmented";
import { StillNotice, useStill } from "../parts/still";
import { Suggestions } from "../parts/suggestions";
import { count, titleOf } from "../parts/text";
import { mergeClusters, mergeNumbers, nameCluster } from "../state/change";
import { confirm, openCluster, unconfirm } from "../state/cluster-changes";
import { useNews } from "../state/news";
import { useSelection } from "../state/selection";
import { worded } from "../state/words";

const PAGE = 200;
const SORTS = [
  ["central", "Most typical"],
  ["doubt", "Most doubtful"],
] as const;
type Sort = (typeof SORTS)[number][0];

export function ClusterView({ id }: { id: number }) {
  const [sort, setSort] = useState<Sort>("central");
  const { about, setAbout, gone, pages, stackOf } = useCluster(id, sort);
  const still = useStill(pages.reload);
  const selection = useSelection((index) => pages.at(index)?.id);
  useEffect(() => void pages.reload(), [id, sort]);
  useEffect(() => selection.clear(), [id]);
  const clearWhen = async (done: Promise<boolean>) => {
    if (await done) selection.clear();
  };
  const rename = async (name: string) => {
    setAbout((now) => now && { ...now, name });
    if (!(await nameCluster(id, name))) void pages.reload();
  };
  if (gone) return <Gone reason={gone} />;
  if (!about || pages.total === null) return <Loading what={worded`Looking at the cluster…`} />;
  return (
    <section class="cluster" aria-labelledby="cluster-title" style={hueStyle(id)}>
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
      <SameName cluster={about} />
      {about.suggested.length > 0 && <Suggestions cluster={id} ids={about.suggested} />}
      <MemberGrid
        label={worded`Pictures of ${titleOf(about)}`}
        pages={pages}
        total={pages.total}
        selection={selection}
        first={about.cover[0]}
      />
      <PictureActions
        id={id}
        size={about.size}
        selection={selection}
        stackOf={stackOf}
        onChange={(done) => void clearWhen(done)}
      />
    </section>
  );
}

/** What is known of the cluster, with its pictures in the order asked for; `gone` says why there is none. */
function useCluster(id: number, sort: Sort) {
  const [about, setAbout] = useState<ClusterPage | null>(null);
  const [gone, setGone] = useState("");
  const stacks = useRef(new Map<number, readonly number[]>());
  const stackOf = useCallback((picture: number) => stacks.current.get(picture) ?? [picture], []);
  const load = useCallback(
    async (offset: number, limit: number) => {
      try {
        const found = await api.cluster(id, sort, offset, limit);
        setAbout(found);
        setGone("");
        for (const { id: picture, stack } of found.members)
          stacks.current.set(picture, stack.length ? stack : [picture]);
        return { total: found.n_shown, rows: found.members };
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 404) throw error;
        setGone(error.message);
        return { total: 0, rows: [] };
      }
    },
    [id, sort],
  );
  return { about, setAbout, gone, pages: usePages<Member>(load, PAGE), stackOf };
}

function Title({ cluster, onName }: { cluster: Cluster; onName: (name: string) => void }) {
  const size = count(cluster.size, "picture");
  return (
    <>
      <a class="back" href="#/clusters" aria-label={worded`All clusters`}>
        <Icon name="left" /> <span>{worded`All clusters`}</span>
      </a>
      <h1 id="cluster-title" class="hidden">
        {titleOf(cluster)}
      </h1>
      <GroupMark id={cluster.id} />
      <InlineName name={cluster.name} what={worded`this cluster of ${size}`} onSave={onName} />
      <span class="quiet">{size}</span>
      {cluster.confirmed && (
        <span class="tag good">
          <Icon name="check" /> confirmed
        </span>
      )}
      <OpenCount cluster={cluster} />
      <Gauge cluster={cluster} />
    </>
  );
}

/** Other groups of the same name, which may be one with this. */
function SameName({ cluster }: { cluster: Cluster }) {
  const [others, setOthers] = useState<number[]>([]);
  const { id, name } = cluster;
  const load = useCallback(() => {
    setOthers([]);
    if (!name) return;
    api.names().then(
      (names) => setOthers(names.find((each) => each.name === name)?.clusters.filter((each) => each !== id) ?? []),
      () => undefined,
    );
  }, [id, name]);
  useEffect(load, [load]);
  useNews("changed", load);
  if (!others.length) return null;
  return (
    <p class="note">
      {others.length === 1 ? worded`Another group has` : `${count(others.length, "other group")} have`} this name too.{" "}
      <button type="button" class="small" onClick={() => void mergeNumbers([id, ...others], openCluster)}>
        Merge…
      </button>
    </p>
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
            void mergeClusters([cluster, other], openCluster);
          }}
        />
      )}
    </>
  );
}

function Gone({ reason }: { reason: string }) {
  return (
    <section class="centre">
      <h1>{worded`This cluster is gone`}</h1>
      <p>
        {reason}
        {worded`: its pictures are in other clusters now.`}
      </p>
      <p>
        <a class="button primary" href="#/clusters">
          {worded`All clusters`}
        </a>
      </p>
    </section>
  );
}
