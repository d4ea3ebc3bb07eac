// A few good examples of every class, a row each: to see what is there without opening every cluster.
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Browse, BrowseRow } from "../api/types";
import { Loading } from "../parts/loading";
import { Picture } from "../parts/picture";
import { Segmented } from "../parts/segmented";
import { count, titleOf } from "../parts/text";
import { Zoom } from "../parts/zoom";
import { useNews } from "../state/news";
import { complain } from "../state/toasts";
import { worded } from "../state/words";

const AGAIN_MS = 700;
const FIRST = 200; // rows at first, and more with every press

const SOURCES = [
  ["clusters", "Clusters"],
  ["looks", "Looks alone"],
] as const;

type Source = (typeof SOURCES)[number][0];

export function BrowseView() {
  const [source, setSource] = useState<Source>("clusters");
  const [examples, setExamples] = useState(8);
  const [classes, setClasses] = useState<number | null>(null);
  const [shown, setShown] = useState(FIRST);
  const [zoomed, setZoomed] = useState<{ ids: number[]; at: number } | null>(null);
  const found = useBrowse(source, examples, classes);

  if (!found) return <Loading what="Looking for examples…" />;
  const rows = found.rows.slice(0, shown);
  return (
    <section class="browse" aria-labelledby="browse-title">
      <div class="toolbar">
        <h1 id="browse-title">Browse</h1>
        <span class="quiet" role="status">
          {found.working
            ? "Looking for examples…"
            : count(
                found.rows.length,
                source === "clusters" ? "cluster" : "class",
                source === "clusters" ? "clusters" : "classes",
              )}
        </span>
        <span class="spring" />
        <Segmented
          label="Examples from"
          value={source}
          options={SOURCES}
          onChange={(next) => {
            setSource(next);
            setShown(FIRST);
          }}
        />
        {source === "looks" && (
          <NumberField
            label="Classes"
            value={classes}
            most={2000}
            placeholder={worded`as many as clusters`}
            onChange={setClasses}
          />
        )}
        <NumberField label="Examples" value={examples} most={50} onChange={(n) => n && setExamples(n)} />
      </div>
      {found.problem && <p class="warning">{found.problem}</p>}
      {!found.working && found.rows.length === 0 && (
        <p class="empty">{worded`There are no clusters yet. They appear when the first pictures are read.`}</p>
      )}
      <Rows rows={rows} byCluster={source === "clusters"} onZoom={(ids, at) => setZoomed({ ids, at })} />
      {found.rows.length > shown && (
        <p class="row">
          <button type="button" onClick={() => setShown(shown + FIRST)}>
            Show more of {found.rows.length.toLocaleString("en")}
          </button>
        </p>
      )}
      {zoomed && <Zoom ids={zoomed.ids} at={zoomed.at} onClose={() => setZoomed(null)} />}
    </section>
  );
}

/** What the server found, asked for again while it looks and when clusters change. */
function useBrowse(source: Source, examples: number, classes: number | null): Browse | null {
  const [found, setFound] = useState<Browse | null>(null);
  const [turn, setTurn] = useState(0);
  useNews("clusters", () => setTurn((now) => now + 1));
  useEffect(() => {
    let timer = 0;
    let gone = false;
    const look = () =>
      api.browse(source, examples, classes).then(
        (now) => {
          if (gone) return;
          setFound(now);
          if (now.working) timer = window.setTimeout(look, AGAIN_MS);
        },
        (error: unknown) => gone || complain(error),
      );
    void look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [source, examples, classes, turn]);
  return found;
}

interface RowsProps {
  rows: BrowseRow[];
  byCluster: boolean;
  onZoom: (ids: number[], at: number) => void;
}

const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Rows of pictures; Tab stops once, arrow keys go from picture to picture. */
function Rows({ rows, byCluster, onZoom }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState<[number, number]>([0, 0]);
  const key = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const at = (event.target as HTMLElement).closest<HTMLElement>("[data-at]")?.dataset.at;
    if (!step || !at || event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = at.split("-").map(Number) as [number, number];
    const to = Math.max(0, Math.min(rows.length - 1, row + step[0]));
    const most = (rows[to]?.items.length ?? 1) - 1;
    const next: [number, number] = [to, Math.max(0, Math.min(most, column + step[1]))];
    event.preventDefault();
    setActive(next);
    list.current?.querySelector<HTMLElement>(`[data-at="${next.join("-")}"]`)?.focus();
  };
  return (
    <ul class="examples" ref={list} onKeyDown={key}>
      {rows.map((row, r) => {
        const title = row.cluster === null ? worded`Not in a cluster` : titleOf(row);
        return (
          <li key={byCluster ? `c${row.cluster}` : `l${row.items[0]}`}>
            <h2>
              {row.cluster === null ? (
                title
              ) : (
                <a href={`#/clusters/${row.cluster}`}>
                  <bdi>{title}</bdi>
                </a>
              )}
              {row.cluster !== null && row.name && <span class="quiet"> {count(row.size, "picture")}</span>}
            </h2>
            <div class="example-strip">
              {row.items.map((id, c) => (
                <button
                  type="button"
                  key={id}
                  data-at={`${r}-${c}`}
                  tabIndex={active[0] === r && active[1] === c ? 0 : -1}
                  aria-label={`Enlarge example ${c + 1} of ${title}`}
                  onFocus={() => setActive([r, c])}
                  onClick={() => onZoom(row.items, c)}
                >
                  <Picture id={id} alt="" />
                </button>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

interface NumberProps {
  label: string;
  value: number | null;
  most: number;
  placeholder?: string;
  onChange: (value: number | null) => void;
}

/** What is being typed is kept as it is until it is done, whatever arrives meanwhile. */
function NumberField({ label, value, most, placeholder, onChange }: NumberProps) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label class="field small">
      <span>{label}</span>
      <input
        type="number"
        min={1}
        max={most}
        value={draft ?? value ?? ""}
        placeholder={placeholder}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onChange={(event) => {
          setDraft(null);
          const n = event.currentTarget.valueAsNumber;
          onChange(Number.isInteger(n) && n >= 1 ? Math.min(n, most) : null);
        }}
      />
    </label>
  );
}
