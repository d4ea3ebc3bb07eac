// Tags: several a picture, some of them missing; the tree among them, and suggestions.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Tags } from "../api/types";
import { Loading } from "../parts/loading";
import { count, percent } from "../parts/text";
import { useNews } from "../state/news";
import { complain } from "../state/toasts";
import { worded } from "../state/words";
import { Suggestions } from "./tag-suggestions";

const AGAIN_MS = 800;

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
        <span class="quiet" role="status">
          {tags.working ? "Learning the tree…" : tags.tree && tags.stale ? "Tags changed since" : ""}
        </span>
        <button
          type="button"
          class={tags.stale ? "primary" : ""}
          aria-disabled={!tags.can_learn || tags.working}
          onClick={() => tags.can_learn && !tags.working && void learn()}
        >
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
        {worded`Open a cluster, select pictures and press `}
        <strong>Tag</strong>, or enlarge one and type below it. Tags from a list come in with{" "}
        <code>likewise tags FOLDER tags.csv</code>.
      </p>
      <p>
        <a class="button primary" href="#/clusters">
          {worded`To the clusters`}
        </a>
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
  const rows = (tags.tree?.tags ?? [])
    .filter((tag) => counts.has(tag.name))
    .map((tag) => ({ name: tag.name, depth: tag.depth }));
  const rest = tags.tags.filter((tag) => !inTree.has(tag.name)).map((tag) => ({ name: tag.name, depth: 0 }));
  return (
    <section class="box tag-tree" aria-labelledby="tree-title">
      <h2 id="tree-title">{tags.tree ? "The tree" : "All tags"}</h2>
      {!tags.can_learn && (
        <p class="quiet">{worded`Tag at least five pictures with at least two tags; the tree among them is then learned.`}</p>
      )}
      <ul>
        {[...rows, ...rest].map(({ name, depth }) => (
          <li key={name} style={{ marginLeft: `${1.2 * Math.min(depth, 8)}rem` }} class={depth ? "below" : ""}>
            <button type="button" aria-pressed={only === name} onClick={() => onOnly(only === name ? null : name)}>
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
