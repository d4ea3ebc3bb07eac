// The tags of pictures, with a field for one more.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { PictureTags, TagValue } from "../api/types";
import { publish } from "../state/news";
import { attempt, complain } from "../state/toasts";
import { Dialog } from "./dialog";
import { Icon } from "./icons";
import { count } from "./text";

/** Store whether pictures have a tag; "open" takes back what was stored. */
export async function setTag(items: number[], name: string, value: TagValue): Promise<void> {
  const { seq } = await api.tag(items, name, value);
  publish("changed", { seq });
}

/** A tag that only some of the pictures have says how many. */
export function TagLine({ ids }: { ids: number[] }) {
  const [about, setAbout] = useState<PictureTags | null>(null);
  const which = ids.join(",");
  const load = useCallback(() => void api.pictureTags(ids).then(setAbout, complain), [which]);
  useEffect(load, [load]);
  const set = (name: string, value: "yes" | "open") =>
    void attempt(async () => {
      await setTag(ids, name, value);
      load();
    });
  return (
    <div class="tag-line">
      <ul aria-label="Tags">
        {about?.tags
          .filter((tag) => tag.yes > 0)
          .map((tag) => (
            <li key={tag.name} class="tag">
              <bdi>{tag.name}</bdi>
              {about.n > 1 && tag.yes < about.n && (
                <span class="quiet">
                  {tag.yes} of {about.n}
                </span>
              )}
              <button
                type="button"
                class="icon small"
                aria-label={`Take ${tag.name} away`}
                title={`Take ${tag.name} away`}
                onClick={() => set(tag.name, "open")}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
      </ul>
      <TagField onAdd={(name) => set(name, "yes")} />
    </div>
  );
}

function TagField({ onAdd }: { onAdd: (name: string) => void }) {
  const [known, setKnown] = useState<string[]>([]);
  const [draft, setDraft] = useState("");
  useEffect(() => void api.tags().then((all) => setKnown(all.tags.map((tag) => tag.name)), complain), []);
  const add = (event: Event) => {
    event.preventDefault();
    const name = draft.trim();
    if (!name) return;
    setDraft("");
    onAdd(name);
  };
  return (
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
      <button type="submit" class="small">
        Add
      </button>
    </form>
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
