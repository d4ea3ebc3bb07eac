// A page of pictures to sort into groups: select some and press where they belong, or drag them there.
import { useEffect, useState } from "preact/hooks";
import { arrows } from "../parts/arrow-keys";
import { Icon } from "../parts/icons";
import { useKeys } from "../parts/keys";
import { Picture } from "../parts/picture";
import { count } from "../parts/text";
import type { PageProps } from "./crowd";

const LOOSE = 0; // the group of those that are in none
const KEYS: Record<string, string> = {
  new: "n",
  out: "0",
  ...Object.fromEntries(Array.from({ length: 9 }, (_, k) => [String(k + 1), String(k + 1)])),
};
type Groups = Record<string, number>; // the group of each picture that is in one

export function Grouping({ hit, draft, before, onSend }: PageProps) {
  const [groups, setGroups] = useState<Groups>(() =>
    before ? fromMarks(before) : (JSON.parse(localStorage.getItem(draft) ?? "{}") as Groups),
  );
  const [selected, setSelected] = useState<Set<number>>(new Set());
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => localStorage.setItem(draft, JSON.stringify(groups)), [groups, draft]);

  const numbers = [...new Set(Object.values(groups))].sort((a, b) => a - b);
  const members = (group: number) => hit.items.filter((id) => (groups[id] ?? LOOSE) === group);
  const place = (id: number) => hit.items.indexOf(id) + 1;
  const put = (ids: Iterable<number>, group: number) => {
    const moved = [...ids];
    if (!moved.length) return;
    const now = { ...groups };
    for (const id of moved) {
      if (group === LOOSE) delete now[id];
      else now[id] = group;
    }
    setGroups(renumbered(now, hit.items));
    setSelected(new Set());
    setSaid(`${count(moved.length, "picture")} ${group === LOOSE ? "taken out" : "put into a group"}`);
  };
  const fresh = Math.max(0, ...numbers) + 1;
  const toggle = (id: number) => {
    const now = new Set(selected);
    if (!now.delete(id)) now.add(id);
    setSelected(now);
  };
  useKeys(KEYS, true, (action) => {
    const chosen = [...selected];
    if (action === "new") put(chosen, fresh);
    else if (action === "out") put(chosen, LOOSE);
    else if (numbers.includes(Number(action))) put(chosen, Number(action));
  });
  const submit = async () => {
    if (busy) return;
    setBusy(true);
    await onSend({ groups: numbers.map(members) });
    setBusy(false);
  };
  const drop = (group: number) => ({
    onDragOver: (event: DragEvent) => (event.preventDefault(), setOver(group)),
    onDragLeave: () => setOver(null),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(null);
      const id = Number(event.dataTransfer?.getData("text/plain"));
      if (hit.items.includes(id)) put(selected.has(id) ? selected : [id], group);
    },
  });
  const tile = (id: number) => (
    <li key={id}>
      <button
        type="button"
        class={selected.has(id) ? "tile on" : "tile"}
        aria-pressed={selected.has(id)}
        aria-label={`Picture ${place(id)}`}
        draggable
        onDragStart={(event) => event.dataTransfer?.setData("text/plain", String(id))}
        onClick={() => toggle(id)}
      >
        <Picture id={id} alt="" />
        {selected.has(id) && (
          <span class="tick">
            <Icon name="check" />
          </span>
        )}
      </button>
    </li>
  );
  const loose = members(LOOSE);
  return (
    <section class="grouping" aria-labelledby="grouping">
      <div class="toolbar">
        <h1 id="grouping">Sort {count(hit.items.length, "picture")} into groups</h1>
        <span class="quiet">Select pictures and press where they belong, or drag them there</span>
      </div>
      <p class="hidden" role="status">
        {said}
      </p>
      <section class={over === LOOSE ? "group loose over" : "group loose"} aria-label="In no group" {...drop(LOOSE)}>
        <header>
          <h2>In no group: {count(loose.length, "picture")}</h2>
          {[...selected].some((id) => groups[id]) && (
            <button type="button" class="small" onClick={() => put(selected, LOOSE)}>
              Take out <kbd>0</kbd>
            </button>
          )}
        </header>
        <ul class="tiles" onKeyDown={arrows}>
          {loose.map(tile)}
        </ul>
      </section>
      {numbers.map((group) => (
        <section
          key={group}
          class={over === group ? "group over" : "group"}
          aria-label={`Group ${group}`}
          {...drop(group)}
        >
          <header>
            <h2>
              Group {group}: {count(members(group).length, "picture")}
            </h2>
            {selected.size > 0 && (
              <button type="button" class="small" onClick={() => put(selected, group)}>
                Put {selected.size} here {group < 10 && <kbd>{group}</kbd>}
              </button>
            )}
          </header>
          <ul class="tiles" onKeyDown={arrows}>
            {members(group).map(tile)}
          </ul>
        </section>
      ))}
      <section class={over === fresh ? "group fresh over" : "group fresh"} aria-label="A new group" {...drop(fresh)}>
        <button type="button" aria-disabled={!selected.size} onClick={() => put(selected, fresh)}>
          <Icon name="plus" />{" "}
          {selected.size
            ? `New group with ${count(selected.size, "picture")}`
            : "New group: select pictures first, or drop one here"}{" "}
          <kbd>N</kbd>
        </button>
      </section>
      <div class="selection" role="group" aria-label={selected.size ? "Where the selected pictures go" : "Send"}>
        {selected.size > 0 ? (
          <>
            <span>{selected.size} selected: put into</span>
            {numbers.map((group) => (
              <button
                type="button"
                key={group}
                aria-label={`Put ${selected.size} into group ${group}`}
                onClick={() => put(selected, group)}
              >
                {group}
              </button>
            ))}
            <button
              type="button"
              class="primary"
              aria-label="New, a group of their own"
              onClick={() => put(selected, fresh)}
            >
              New
            </button>
            <button type="button" onClick={() => setSelected(new Set())}>
              Select none
            </button>
          </>
        ) : (
          <>
            <span>
              {count(numbers.length, "group")}, {loose.length} by {loose.length === 1 ? "itself" : "themselves"}
            </span>
            <button type="button" class="primary" aria-disabled={busy} onClick={() => void submit()}>
              Send this page
            </button>
          </>
        )}
      </div>
    </section>
  );
}

const fromMarks = (before: Record<string, string[]>): Groups =>
  Object.fromEntries(
    Object.entries(before)
      .filter(([, marks]) => marks.length)
      .map(([id, [mark]]) => [id, Number(mark)]),
  );

/** Numbers without gaps, in the order in which the groups stand on the page. */
function renumbered(groups: Groups, items: number[]): Groups {
  const left = [...new Set(Object.values(groups))].sort((a, b) => a - b);
  return Object.fromEntries(items.filter((id) => groups[id]).map((id) => [id, left.indexOf(groups[id]!) + 1]));
}
