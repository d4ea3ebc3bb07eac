// A field to look for clusters by name; the key / goes there.
import { useEffect, useRef, useState } from "preact/hooks";
import { singleKeys } from "../state/settings";
import { useKeys } from "./keys";

const GOES_THERE = { search: "/" };
const PAUSE_MS = 150; // in typing

interface Props {
  words: string;
  onWords: (words: string) => void;
  label?: string;
}

export function NameSearch({ words, onWords, label = "Look for a name, tag or file" }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(words);
  useKeys(GOES_THERE, singleKeys.value, () => field.current?.select());
  useEffect(() => {
    if (draft.trim() === words) return;
    const timer = setTimeout(() => onWords(draft.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, words]);
  return (
    <input
      type="search"
      class="name-search"
      ref={field}
      value={draft}
      maxLength={200}
      aria-label={label}
      aria-keyshortcuts={singleKeys.value ? "/" : undefined}
      placeholder={singleKeys.value ? `${label}  /` : label}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        setDraft("");
        event.currentTarget.blur();
      }}
    />
  );
}
