// One cluster: its pictures by doubt, and what can be done about them.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api, Refused, type Change, type Cluster, type ClusterPage, type Member } from "./api";
import { propose } from "./change";
import { Icon } from "./icons";
import { publish, useStill } from "./news";
import { usePages } from "./pages";
import { Picker } from "./picker";
import { Picture, Tile, Zoom } from "./picture";
import { useSelecting } from "./selecting";
import { TagDialog, TagLine } from "./tags";
import { complain, say } from "./toast";
import { count, InlineName, Loading, Segmented, Stillness, titleOf } from "./ui";
import { Calm, VirtualGrid } from "./virtual";
import { mergeClusters } from "./wall";

const PAGE = 200;
const SORTS = [
  ["central", "Most typical"],
  ["doubt", "Most doubtful"],
] as const;

export function ClusterView({ id }: { id: number }) {
  const [sort, setSort] = useState<"central" | "doubt">("central");
  const [about, setAbout] = useState<ClusterPage | null>(null);
  const [gone, setGone] = useState("");
  const [zoomed, setZoomed] = useState<number | null>(null);
  const [tagging, setTagging] = useState(false);
  const [picking, setPicking] = useState<"move" | "merge" | null>(null);

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
  const pages = usePages<Member>(load, PAGE);
  const still = useStill(pages.reload);
  const selecting = useSelecting((index) => pages.at(index)?.id);
  const chosen = [...selecting.chosen];
  useEffect(() => pages.reload(), [id, sort]);
  useEffect(() => selecting.clear(), [id]);

  const change = async (title: string, run: (more: object) => Promise<Change>, done: string) => {
    if (await propose({ title, verb: title, run, done: () => done })) selecting.clear();
  };
  const split = () => change("Split off", (more) => api.split(id, chosen, more), `Split off ${count(chosen.length, "picture")}`);
  const move = (to: Cluster) =>
    change("Move", (more) => api.move(chosen, to.id, more), `Moved ${count(chosen.length, "picture")} to ${titleOf(to)}`);
  const accept = (items: number[]) => change("Accept", (more) => api.move(items, id, more), `Accepted ${count(items.length, "picture")}`);
  const leaveOut = async () => {
    try {
      for (const item of chosen) publish("changed", { seq: (await api.bad(item)).seq });
      say(`Left out ${count(chosen.length, "picture")}`, chosen.length === 1);
      selecting.clear();
    } catch (error) {
      complain(error);
    }
  };
  const confirm = () => change("Confirm", (more) => api.confirm(id, more), "Confirmed: it no longer changes by itself");
  const unconfirm = async () => {
    try {
      publish("changed", { seq: (await api.unconfirm(id)).seq ?? 0 });
      say("It may change again", true);
    } catch (error) {
      complain(error);
    }
  };
  const rename = async (name: string) => {
    try {
      await api.name(id, name);
      setAbout((now) => now && { ...now, name });
      say(name ? `Named ${name}` : "Name taken away", true);
    } catch (error) {
      complain(error);
    }
  };

  const key = (event: KeyboardEvent, index: number) => {
    const member = pages.at(index);
    if (!member) return;
    if (event.key === " ") selecting.toggle(index, event.shiftKey);
    else if (event.key === "Enter") setZoomed(index);
    else if (event.key === "Escape") selecting.clear();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) selecting.extend(0, (pages.total ?? 1) - 1);
    else return;
    event.preventDefault();
  };
  const height = useCallback((width: number) => width, []);

  if (gone) return <Gone reason={gone} />;
  if (!about || pages.total === null) return <Loading what="Looking at the cluster…" />;
  const title = titleOf(about);
  return (
    <section class="cluster" aria-labelledby="cluster-title">
      <div class="toolbar">
        <a class="back" href="#/clusters" aria-label="All clusters">
          <Icon name="left" /> <span>All clusters</span>
        </a>
        <h1 id="cluster-title" class="hidden">{title}</h1>
        <InlineName name={about.name} what={`this cluster of ${count(about.size, "picture")}`} onSave={(name) => void rename(name)} />
        <span class="quiet">{count(about.size, "picture")}</span>
        {about.confirmed && (
          <span class="tag good">
            <Icon name="check" /> confirmed
          </span>
        )}
        <Stillness still={still} />
        <span class="spring" />
        <Segmented label="Order" value={sort} options={SORTS} onChange={(next) => (setSort(next), scrollTo(0, 0))} />
        <span class="tools">
          <a class="button" href={`#/clusters/${id}/check`}>
            Check on a grid
          </a>
          <button onClick={() => setPicking("merge")}>Merge with…</button>
          <button class={about.confirmed ? "" : "primary"} onClick={() => void (about.confirmed ? unconfirm() : confirm())}>
            {about.confirmed ? "Unconfirm" : "Confirm"}
          </button>
        </span>
      </div>
      {about.suggested.length > 0 && <Suggested ids={about.suggested} onAccept={(items) => void accept(items)} />}
      <VirtualGrid
        total={pages.total}
        minWidth={innerWidth < 600 ? 96 : 136}
        height={height}
        label={`Pictures of ${title}`}
        role="listbox"
        onRange={pages.need}
        onKey={key}
        onMove={(from, to, extend) => extend && selecting.extend(from, to)}
        render={(index, cell) => {
          const member = pages.at(index);
          const on = member !== undefined && selecting.has(member.id);
          return (
            <div
              class={on ? "member on" : "member"}
              role="option"
              data-focus
              tabIndex={cell.active ? 0 : -1}
              aria-selected={on}
              aria-label={member ? `Picture ${member.id}${member.settled ? ", settled by answers" : ""}` : "Loading"}
              onClick={(event) => selecting.toggle(index, event.shiftKey)}
              onDblClick={() => setZoomed(index)}
            >
              {member && (
                <Calm key={member.id} flying={cell.flying}>
                  <Tile id={member.id} />
                </Calm>
              )}
              {member?.settled && member.id !== about.cover[0] && <span class="settled" title="Settled by answers" />}
              {on && <span class="tick"><Icon name="check" /></span>}
            </div>
          );
        }}
      />
      <p class="hidden" role="status">{chosen.length > 0 && `${count(chosen.length, "picture")} selected`}</p>
      {chosen.length > 0 && (
        <div class="selection" role="group" aria-label="Selected pictures">
          <span>{chosen.length.toLocaleString("en")} selected</span>
          <button class="primary" aria-disabled={chosen.length >= about.size} onClick={() => chosen.length < about.size && void split()}>
            Split off
          </button>
          <button onClick={() => setPicking("move")}>Move to…</button>
          <button onClick={() => setTagging(true)}>Tag…</button>
          <button onClick={() => void leaveOut()}>Bad</button>
          <button onClick={selecting.clear}>Clear</button>
        </div>
      )}
      {tagging && chosen.length > 0 && <TagDialog ids={chosen} onClose={() => setTagging(false)} />}
      {picking && (
        <Picker
          title={picking === "move" ? `Move ${count(chosen.length, "picture")} to` : "Merge with"}
          without={id}
          onClose={() => setPicking(null)}
          onChoose={(other) => {
            setPicking(null);
            void (picking === "move" ? move(other) : mergeClusters([about, other]));
          }}
        />
      )}
      {zoomed !== null && <ZoomMembers pages={pages.at} total={pages.total} at={zoomed} onClose={() => setZoomed(null)} />}
    </section>
  );
}

/** Enlarge one, with those of its neighbourhood in the list an arrow key away. */
function ZoomMembers({ pages, total, at, onClose }: { pages: (index: number) => Member | undefined; total: number; at: number; onClose: () => void }) {
  const from = Math.max(0, at - 100);
  const ids: number[] = [];
  for (let index = from; index < Math.min(total, at + 100); index++) {
    const member = pages(index);
    if (member) ids.push(member.id);
  }
  return <Zoom ids={ids} at={Math.max(0, ids.indexOf(pages(at)!.id))} onClose={onClose} below={(id) => <TagLine ids={[id]} />} />;
}

function Suggested({ ids, onAccept }: { ids: number[]; onAccept: (items: number[]) => void }) {
  return (
    <section class="suggested" aria-labelledby="suggested-title">
      <header>
        <h2 id="suggested-title">{count(ids.length, "picture")} might belong here</h2>
        <button onClick={() => onAccept(ids)}>Accept all</button>
      </header>
      <ul>
        {ids.slice(0, 40).map((id) => (
          <li key={id}>
            <button onClick={() => onAccept([id])} aria-label={`Accept picture ${id}`} title="Accept this one">
              <Picture id={id} alt="" />
              <span class="tick"><Icon name="plus" /></span>
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
        <a class="button primary" href="#/clusters">All clusters</a>
      </p>
    </section>
  );
}
