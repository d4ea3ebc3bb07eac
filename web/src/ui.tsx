// Small parts that several screens share.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons";
import type { Still } from "./news";
import { Picture, Tile } from "./picture";

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** What a cluster is called where it has no name: its size tells it from others best. */
export const titleOf = (cluster: { name: string; size: number }): string =>
  cluster.name || `Unnamed, ${count(cluster.size, "picture")}`;

/** After a click (not a key press) the focus goes, so that Space is "not sure" and never the last button again. */
export function letGo(event: MouseEvent): void {
  if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
}

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

export function Dialog({ title, onClose, children, wide }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close(); // gives the focus back
  }, []);
  return (
    <dialog
      class={wide ? "panel wide" : "panel"}
      ref={dialog}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onMouseDown={(event) => event.target === event.currentTarget && dialog.current?.close()}
    >
      <div class="inside">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <button class="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <fieldset class="segmented">
      <legend class="hidden">{label}</legend>
      {options.map(([key, text]) => (
        <label key={key} class={key === value ? "on" : ""}>
          <input type="radio" name={label} value={key} checked={key === value} onChange={() => onChange(key)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

interface NameProps {
  name: string;
  what: string;
  onSave: (name: string) => void;
  tabIndex?: number;
}

/** A name that becomes a field when pressed; Enter or leaving keeps it, Escape does not. */
export function InlineName({ name, what, onSave, tabIndex }: NameProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const back = useRef(false);
  const writing = draft !== null;
  useLayoutEffect(() => {
    if (writing) field.current?.select();
    else if (back.current) button.current?.focus();
    back.current = false;
  }, [writing]);
  const end = (save: boolean) => {
    if (draft === null) return;
    setDraft(null);
    if (save && draft.trim() !== name) onSave(draft.trim());
  };
  if (draft === null) {
    return (
      <button ref={button} class={name ? "naming" : "naming empty"} tabIndex={tabIndex} data-rename onClick={() => setDraft(name)} title={name || undefined}>
        <span class="hidden">Rename {what}: </span>
        <bdi>{name || "Add a name"}</bdi>
        <Icon name="edit" />
      </button>
    );
  }
  return (
    <input
      class="naming"
      aria-label={`Name of ${what}`}
      value={draft}
      maxLength={200}
      ref={field}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        back.current = true;
        end(event.key === "Enter");
      }}
    />
  );
}

/** The pictures that stand for a cluster: the most central large, three more beside it. */
export function Cover({ ids, shown = 4, light }: { ids: number[]; shown?: number; light?: boolean }) {
  const some = ids.slice(0, shown);
  return (
    <span class={`cover n${some.length}`}>
      {some.map((id) => (light ? <Tile key={id} id={id} /> : <Picture key={id} id={id} alt="" />))}
    </span>
  );
}

/** A number of a list of them: what it counts, and a word on it. */
export function Figure({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div>
      <dt>
        {label}
        {note && <small>{note}</small>}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="quiet loading" role="status">
      {what}
    </p>
  );
}

/** Says quietly that clusters changed; nothing moves until it is pressed. */
export function Stillness({ still: { moved, joined, waiting, reload } }: { still: Still }) {
  const words = [moved && `${count(moved, "picture")} moved`, joined && `${joined.toLocaleString("en")} new`];
  return (
    <div class="stillness" role="status">
      {waiting && <span class="quiet">Taking your change in…</span>}
      {!waiting && moved + joined > 0 && (
        <>
          <span>{words.filter(Boolean).join(", ")}</span>
          <button class="small" onClick={reload}>
            Show
          </button>
        </>
      )}
    </div>
  );
}
