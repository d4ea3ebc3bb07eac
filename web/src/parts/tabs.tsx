// The links to the screens; on a phone the later ones are under More.
import { useEffect, useState } from "preact/hooks";
import { worded } from "../state/words";
import { Icon, type IconName } from "./icons";

export const TABS: readonly (readonly [path: string, label: string, icon: IconName])[] = [
  ["", "Questions", "question"],
  ["clusters", "Clusters", "clusters"],
  ["map", "Map", "map"],
  ["progress", "Progress", "progress"],
  ["search", "Search", "search"],
  ["tags", "Tags", "tags"],
  ["conflicts", "Conflicts", "conflicts"],
  ["history", "History", "history"],
  ["team", "Team", "team"],
  ["export", "Export", "export"],
  ["settings", "Settings", "settings"],
];

const FIRST_TABS = 4; // these stay at hand on a phone, the others are under More

export function Tabs({ at, waiting }: { at: string; waiting: Record<string, number> }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [at]);
  const later = TABS.slice(FIRST_TABS);
  const toDecide = Object.values(waiting).reduce((sum, n) => sum + n, 0);
  const current = (path: string) => at === path || (path === "clusters" && at === "browse");
  const link = ([path, label, icon]: (typeof TABS)[number]) => (
    <a key={path} href={`#/${path}`} aria-current={current(path) ? "page" : undefined} onClick={() => setOpen(false)}>
      <Icon name={icon} />
      <span>{worded(label)}</span>
      <Badge n={waiting[path] ?? 0} />
    </a>
  );
  return (
    <nav class="tabs" aria-label="Screens" onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
      {TABS.slice(0, FIRST_TABS).map(link)}
      <button
        type="button"
        class={later.some(([path]) => path === at) ? "more-tab on" : "more-tab"}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
        <span>More</span>
        <Badge n={toDecide} />
      </button>
      <div class={open ? "later open" : "later"}>{later.map(link)}</div>
    </nav>
  );
}

function Badge({ n }: { n: number }) {
  if (n === 0) return null;
  return (
    <span class="badge">
      {n}
      <span class="hidden"> to decide</span>
    </span>
  );
}
