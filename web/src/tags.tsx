// Tags: several a picture, some of them missing; the tree among them, and suggestions that a person takes or turns down.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, type PictureTags, type Suggestion, type Tags } from "./api";
import { Icon } from "./icons";
import { publish, useNews } from "./news";
import { Picture, Zoom } from "./picture";
import { complain, say } from "./toast";
import { count, Dialog, Loading, percent } from "./ui";

const AGAIN_MS = 800;
const PAGE = 48;

async function tell(items: number[], name: string, value: "yes" | "no" | "open"): Promise<void> {
  const { seq } = await api.tag(items, name, value);
  publish("changed", { seq });
}

export function TagsView() {
  const { tags, refresh } = useTags();
  const [only, setOnly] = useState<string | null>(null);
  const learn = () => api.learnTree().then(refresh, complain);

  // What was learned is out of date: learned again without being asked, as soon as somebody looks.
  const begun = useRef(false);
  useEffect(() => {
    if (!tags || begun.current || tags.working || !tags.stale || !tags.can_learn) return;
    begun.current = true;
    void learn();
  }, [tags]);

  if (!tags) return <Loading what="Looking at the tags…" />;
  if (tags.tags.length === 0) return <NoTags />;
  return (
    <section class="tags" aria-labelledby="tags-title">
      <div class="toolbar">
        <h1 id="tags-title">Tags</h1>
        <span class="quiet">
          {count(tags.tags.length, "tag")} on {count(tags.tagged, "picture")}
        </span>
        <span class="spring" />
        <span class="quiet" role="status">{tags.working ? "Learning the tree…" : tags.tree && tags.stale ? "Tags changed since" : ""}</span>
        <button class={tags.stale ? "primary" : ""} aria-disabled={!tags.can_learn || tags.working} onClick={() => tags.can_learn && !tags.working && void learn()}>
          Learn the tree
        </button>
      </div>
      {tags.problem && <p class="warning">{tags.problem}</p>}
      <div class="beside">
        <TagTree tags={tags} only={only} onOnly={setOnly} />
        <Suggestions key={only ?? ""} only={only} tags={tags} onDone={refresh} />
      </div>
    </section>
  );
}

/** The tags, asked for again while the tree is learned and after every change. */
function useTags(): { tags: Tags | null; refresh: () => void } {
  const [tags, setTags] = useState<Tags | null>(null);
  const timer = useRef(0);
  const refresh = useCallback(() => {
    clearTimeout(timer.current);
    api.tags().then((now) => {
      setTags(now);
      if (now.working) timer.current = window.setTimeout(refresh, AGAIN_MS);
    }, complain);
  }, []);
  useEffect(() => {
    refresh();
    return () => clearTimeout(timer.current);
  }, [refresh]);
  useNews("changed", refresh);
  return { tags, refresh };
}

function NoTags() {
  return (
    <section class="centre">
      <h1>No tags yet</h1>
      <p>
        Open a cluster, select pictures and press <strong>Tag</strong>, or enlarge one and type below it. Tags from a list come in
        with <code>likewise tags FOLDER tags.csv</code>.
      </p>
      <p>
        <a class="button primary" href="#/clusters">To the clusters</a>
      </p>
    </section>
  );
}

interface TreeProps {
  tags: Tags;
  only: string | null;
  onOnly: (name: string | null) => void;
}

/** The learned tree as nested rows, or the plain list before there is one; a press shows the suggestions of one tag. */
function TagTree({ tags, only, onOnly }: TreeProps) {
  const inTree = new Map((tags.tree?.tags ?? []).map((tag) => [tag.name, tag.depth]));
  const counts = new Map(tags.tags.map((tag) => [tag.name, tag.count]));
  const rows = (tags.tree?.tags ?? []).filter((tag) => counts.has(tag.name)).map((tag) => ({ name: tag.name, depth: tag.depth }));
  const rest = tags.tags.filter((tag) => !inTree.has(tag.name)).map((tag) => ({ name: tag.name, depth: 0 }));
  return (
    <section class="box tag-tree" aria-labelledby="tree-title">
      <h2 id="tree-title">{tags.tree ? "The tree" : "All tags"}</h2>
      {!tags.can_learn && <p class="quiet">Tag at least five pictures with at least two tags; the tree among them is then learned.</p>}
      <ul>
        {[...rows, ...rest].map(({ name, depth }) => (
          <li key={name} style={{ marginLeft: `${1.2 * Math.min(depth, 8)}rem` }} class={depth ? "below" : ""}>
            <button aria-pressed={only === name} onClick={() => onOnly(only === name ? null : name)}>
              <bdi>{name}</bdi> <span class="quiet">{(counts.get(name) ?? 0).toLocaleString("en")}</span>
              {depth > 0 && <span class="hidden"> (level {depth + 1})</span>}
            </button>
          </li>
        ))}
      </ul>
      {tags.tree && <p class="quiet">About {percent(tags.tree.alpha)} of the tags seem to be missing.</p>}
    </section>
  );
}

function Suggestions({ only, tags, onDone }: { only: string | null; tags: Tags; onDone: () => void }) {
  const [found, setFound] = useState<{ total: number; suggestions: Suggestion[] } | null>(null);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const load = useCallback(() => void api.tagSuggestions(only, PAGE).then(setFound, complain), [only]);
  useEffect(load, [load, tags]);
  const decide = async (one: Suggestion, value: "yes" | "no") => {
    const place = found?.suggestions.indexOf(one) ?? 0;
    setFound((now) => now && { total: now.total - 1, suggestions: now.suggestions.filter((each) => each !== one) });
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll<HTMLElement>("li .accept") ?? [];
      left[Math.min(place, left.length - 1)]?.focus();
    });
    try {
      await tell([one.image], one.tag, value);
      say(value === "yes" ? `Tagged ${one.tag}` : `Not ${one.tag}: it is not suggested again`, true);
      onDone();
    } catch (error) {
      load();
      complain(error);
    }
  };
  const key = (event: KeyboardEvent, one: Suggestion) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "y") void decide(one, "yes");
    else if (event.key === "n") void decide(one, "no");
    else return;
    event.preventDefault();
  };
  return (
    <section class="box" aria-labelledby="suggestions-title">
      <h2 id="suggestions-title">
        {only === null ? "Probably missing" : <>Probably missing: <bdi>{only}</bdi></>} {found && <span class="quiet">{found.total.toLocaleString("en")}</span>}
      </h2>
      {found && found.total === 0 && <p class="quiet">{tags.tree ? "Nothing that is not decided." : "Suggestions come with the tree."}</p>}
      <ul class="suggestions" ref={list}>
        {found?.suggestions.map((one, at) => (
          <li key={`${one.image} ${one.tag}`} onKeyDown={(event) => key(event, one)}>
            <button class="shown" aria-label={`Enlarge picture ${one.image}`} onClick={() => setZoomed(at)}>
              <Picture id={one.image} alt="" />
            </button>
            <p>
              <bdi>{one.tag}</bdi> <span class="quiet">{percent(one.probability)}</span>
            </p>
            <div class="decide-tag">
              <button class="accept" aria-label={`${one.tag}: yes, picture ${one.image}`} title="Yes (Y)" onClick={() => void decide(one, "yes")}>
                <Icon name="check" />
              </button>
              <button aria-label={`${one.tag}: no, picture ${one.image}`} title="No, and not again (N)" onClick={() => void decide(one, "no")}>
                <Icon name="close" />
              </button>
            </div>
          </li>
        ))}
      </ul>
      {zoomed !== null && found?.suggestions[zoomed] && (
        <Zoom ids={found.suggestions.map((one) => one.image)} at={zoomed} onClose={() => setZoomed(null)} below={(id) => <TagLine ids={[id]} />} />
      )}
    </section>
  );
}

/** The tags of pictures, with a field for one more; a tag that only some have says how many. */
export function TagLine({ ids }: { ids: number[] }) {
  const [about, setAbout] = useState<PictureTags | null>(null);
  const [known, setKnown] = useState<string[]>([]);
  const [draft, setDraft] = useState("");
  const which = ids.join(",");
  const load = useCallback(() => void api.pictureTags(ids).then(setAbout, complain), [which]);
  useEffect(load, [load]);
  useEffect(() => void api.tags().then((all) => setKnown(all.tags.map((tag) => tag.name)), complain), []);
  const set = async (name: string, value: "yes" | "open") => {
    try {
      await tell(ids, name, value);
      load();
    } catch (error) {
      complain(error);
    }
  };
  const add = (event: Event) => {
    event.preventDefault();
    const name = draft.trim();
    if (!name) return;
    setDraft("");
    void set(name, "yes");
  };
  return (
    <div class="tag-line">
      <ul aria-label="Tags">
        {about?.tags.filter((tag) => tag.yes > 0).map((tag) => (
          <li key={tag.name} class="tag">
            <bdi>{tag.name}</bdi>
            {about.n > 1 && tag.yes < about.n && <span class="quiet">{tag.yes} of {about.n}</span>}
            <button class="icon small" aria-label={`Take ${tag.name} away`} title={`Take ${tag.name} away`} onClick={() => void set(tag.name, "open")}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <input
          aria-label="A tag more"
          placeholder="Add a tag"
          list="known-tags"
          maxLength={100}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}
        />
        <datalist id="known-tags">
          {known.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit" class="small">Add</button>
      </form>
    </div>
  );
}

/** Tags of several pictures at once. */
export function TagDialog({ ids, onClose }: { ids: number[]; onClose: () => void }) {
  return (
    <Dialog title={`Tags of ${count(ids.length, "picture")}`} onClose={onClose}>
      <TagLine ids={ids} />
    </Dialog>
  );
}
