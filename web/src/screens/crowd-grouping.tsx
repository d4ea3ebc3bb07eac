// A page of pictures to sort into groups: select some and press where they belong, or drag them there.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { arrows } from "../parts/arrow-keys";
import { Icon } from "../parts/icons";
import { useKeys } from "../parts/keys";
import { Picture } from "../parts/picture";
import { count } from "../parts/text";
import { fromMarks, type Groups, groupingOf, membersOf, NO_GROUP, numbersOf } from "../state/grouping";
import { useStore } from "../state/store";
import type { PageProps } from "./crowd";

const DIGITS = Object.fromEntries(Array.from({ length: 9 }, (_, k) => [String(k + 1), String(k + 1)]));
const KEYS: Record<string, string> = { new: "n", out: "0", ...DIGITS };

const keptGroups = (draft: string): Groups => JSON.parse(localStorage.getItem(draft) ?? "{}");

/** The groups of a page, and the ways to change them. */
function useGrouping({ hit: { items }, draft, before }: PageProps) {
  const groups = useMemo(() => (before ? fromMarks(before) : keptGroups(draft)), []);
  const { state, dispatch } = useStore(groupingOf(items), { groups, selected: new Set<number>(), moved: null });
  const now = state.value;
  const numbers = numbersOf(now.groups);
  const put = (ids: Iterable<number>, group: number) => dispatch({ type: "put", ids: [...ids], group });
  useEffect(() => localStorage.setItem(draft, JSON.stringify(now.groups)), [now.groups, draft]);
  return {
    ...now,
    items,
    numbers,
    fresh: Math.max(0, ...numbers) + 1,
    members: (group: number) => membersOf(items, now.groups, group),
    put,
    drop: (id: number, group: number) => {
      if (items.includes(id)) put(now.selected.has(id) ? now.selected : [id], group);
    },
    toggle: (id: number) => dispatch({ type: "toggled", id }),
    deselect: () => dispatch({ type: "deselected" }),
  };
}

type PageGroups = ReturnType<typeof useGrouping>;

export function Grouping(props: PageProps) {
  const page = useGrouping(props);
  const { items, numbers, fresh, selected, moved, put } = page;
  const [busy, setBusy] = useState(false);
  useKeys(KEYS, true, (action) => {
    const group = action === "new" ? fresh : action === "out" ? NO_GROUP : Number(action);
    if (action === "new" || action === "out" || numbers.includes(group)) put(selected, group);
  });
  const submit = async () => {
    if (busy) return;
    setBusy(true);
    await props.onSend({ groups: numbers.map(page.members) });
    setBusy(false);
  };
  return (
    <section class="grouping" aria-labelledby="grouping">
      <div class="toolbar">
        <h1 id="grouping">Sort {count(items.length, "picture")} into groups</h1>
        <span class="quiet">Select pictures and press where they belong, or drag them there</span>
      </div>
      <p class="hidden" role="status">
        {moved && `${count(moved.n, "picture")} ${moved.group === NO_GROUP ? "taken out" : "put into a group"}`}
      </p>
      <LooseBox page={page} />
      {numbers.map((group) => (
        <NumberedBox key={group} page={page} group={group} />
      ))}
      <GroupBox style="group fresh" label="A new group" onDropped={(id) => page.drop(id, fresh)}>
        <button type="button" aria-disabled={!selected.size} onClick={() => put(selected, fresh)}>
          <Icon name="plus" />{" "}
          {selected.size
            ? `New group with ${count(selected.size, "picture")}`
            : "New group: select pictures first, or drop one here"}{" "}
          <kbd>N</kbd>
        </button>
      </GroupBox>
      <fieldset class="selection" aria-label={selected.size ? "Where the selected pictures go" : "Send"}>
        {selected.size > 0 ? <Targets page={page} /> : <Sending page={page} busy={busy} onSend={() => void submit()} />}
      </fieldset>
    </section>
  );
}

interface BoxProps {
  style: string;
  label: string;
  onDropped: (id: number) => void;
  children: ComponentChildren;
}

/** A group, onto which a picture can be dropped. */
function GroupBox({ style, label, onDropped, children }: BoxProps) {
  const [over, setOver] = useState(false);
  return (
    <section
      class={over ? `${style} over` : style}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDropped(Number(event.dataTransfer?.getData("text/plain")));
      }}
    >
      {children}
    </section>
  );
}

function LooseBox({ page }: { page: PageGroups }) {
  const { groups, selected, put } = page;
  const loose = page.members(NO_GROUP);
  return (
    <GroupBox style="group loose" label="In no group" onDropped={(id) => page.drop(id, NO_GROUP)}>
      <header>
        <h2>In no group: {count(loose.length, "picture")}</h2>
        {[...selected].some((id) => groups[id]) && (
          <button type="button" class="small" onClick={() => put(selected, NO_GROUP)}>
            Take out <kbd>0</kbd>
          </button>
        )}
      </header>
      <Tiles page={page} shown={loose} />
    </GroupBox>
  );
}

function NumberedBox({ page, group }: { page: PageGroups; group: number }) {
  const { selected, put } = page;
  const members = page.members(group);
  return (
    <GroupBox style="group" label={`Group ${group}`} onDropped={(id) => page.drop(id, group)}>
      <header>
        <h2>
          Group {group}: {count(members.length, "picture")}
        </h2>
        {selected.size > 0 && (
          <button type="button" class="small" onClick={() => put(selected, group)}>
            Put {selected.size} here {group < 10 && <kbd>{group}</kbd>}
          </button>
        )}
      </header>
      <Tiles page={page} shown={members} />
    </GroupBox>
  );
}

function Tiles({ page: { items, selected, toggle }, shown }: { page: PageGroups; shown: number[] }) {
  return (
    <ul class="tiles" onKeyDown={arrows}>
      {shown.map((id) => (
        <li key={id}>
          <button
            type="button"
            class={selected.has(id) ? "tile on" : "tile"}
            aria-pressed={selected.has(id)}
            aria-label={`Picture ${items.indexOf(id) + 1}`}
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
      ))}
    </ul>
  );
}

/** Where the selected pictures can be put. */
function Targets({ page: { numbers, fresh, selected, put, deselect } }: { page: PageGroups }) {
  return (
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
      <button type="button" class="primary" aria-label="New, a group of their own" onClick={() => put(selected, fresh)}>
        New
      </button>
      <button type="button" onClick={deselect}>
        Select none
      </button>
    </>
  );
}

function Sending({ page, busy, onSend }: { page: PageGroups; busy: boolean; onSend: () => void }) {
  const loose = page.members(NO_GROUP).length;
  return (
    <>
      <span>
        {count(page.numbers.length, "group")}, {loose} by {loose === 1 ? "itself" : "themselves"}
      </span>
      <button type="button" class="primary" aria-disabled={busy} onClick={onSend}>
        Send this page
      </button>
    </>
  );
}
