import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import { Icon } from "./icons";

interface NameProps {
  name: string;
  what: string;
  onSave: (name: string) => void;
  tabIndex?: number;
}

/** A name that becomes a field when pressed; Enter or leaving keeps it, once, Escape does not. */
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
  const ended = useRef(false); // Enter takes the field away, which leaves it too
  const begin = () => {
    ended.current = false;
    setDraft(name);
  };
  const end = (save: boolean) => {
    if (draft === null || ended.current) return;
    ended.current = true;
    setDraft(null);
    if (save && draft.trim() !== name) onSave(draft.trim());
  };
  if (draft === null) {
    return (
      <button
        type="button"
        ref={button}
        class={name ? "naming" : "naming empty"}
        tabIndex={tabIndex}
        data-rename
        onClick={begin}
        title={name || undefined}
      >
        <span class="hidden">Rename {what}: </span>
        <bdi>{name || "Add a name"}</bdi>
        <Icon name="edit" />
      </button>
    );
  }
  return (
    <>
      <input
        class="naming"
        aria-label={`Name of ${what}`}
        value={draft}
        maxLength={200}
        list="known-names"
        autocomplete="off"
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
      <KnownNames without={name} />
    </>
  );
}

/** The names that are in use, to complete what is typed. */
export function KnownNames({ without = "" }: { without?: string }) {
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    api.names().then(
      (found) => setNames(found.map((each) => each.name)),
      () => undefined, // one can still type
    );
  }, []);
  return (
    <datalist id="known-names">
      {names
        .filter((name) => name !== without)
        .map((name) => (
          <option key={name} value={name} />
        ))}
    </datalist>
  );
}
