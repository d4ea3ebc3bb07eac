// A page of pictures with a field for keywords each. Nothing is suggested: the words are the person's own.
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/icons";
import { Picture } from "../parts/picture";
import { count } from "../parts/text";
import { Zoom } from "../parts/zoom";
import { complain } from "../state/toasts";
import type { PageProps } from "./crowd";

type Words = Record<string, string[]>;

export function Keywords({ hit, draft, before, onSend }: PageProps) {
  const [words, setWords] = useState<Words>(() => before ?? (JSON.parse(localStorage.getItem(draft) ?? "{}") as Words));
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [zoomed, setZoomed] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => localStorage.setItem(draft, JSON.stringify(words)), [words, draft]);

  const all = hit.items.map((item) => ({ item, words: split(typed[item] ?? "").reduce(added, words[item] ?? []) }));
  const without = all.filter((each) => !each.words.length).length;
  const submit = async () => {
    if (busy) return;
    setWords(Object.fromEntries(all.map((each) => [each.item, each.words])));
    setTyped({});
    setBusy(true);
    await onSend({ keywords: all });
    setBusy(false);
  };
  return (
    <section aria-labelledby="keywords">
      <div class="toolbar">
        <h1 id="keywords">Keywords for {count(hit.items.length, "picture")}</h1>
        <span class="quiet">Enter or a comma ends a keyword</span>
      </div>
      <ul class="tagging">
        {hit.items.map((id, k) => (
          <li key={id}>
            <button type="button" class="frame" aria-label={`Enlarge picture ${k + 1}`} onClick={() => setZoomed(k)}>
              <Picture id={id} size="preview" alt={`Picture ${k + 1}`} />
            </button>
            <KeywordField
              called={`picture ${k + 1}`}
              words={words[id] ?? []}
              typed={typed[id] ?? ""}
              onTyped={(text) => setTyped({ ...typed, [id]: text })}
              onWords={(now) => setWords({ ...words, [id]: now })}
            />
          </li>
        ))}
      </ul>
      <fieldset class="selection" aria-label="Send">
        <span role="status">
          {without ? `${without} of ${hit.items.length} without a keyword` : "All pictures have keywords"}
        </span>
        <button type="button" class="primary" aria-disabled={busy} onClick={() => void submit()}>
          Send this page
        </button>
      </fieldset>
      {zoomed !== null && (
        <Zoom
          ids={hit.items}
          names={hit.items.map((_, k) => `Picture ${k + 1}`)}
          at={zoomed}
          onClose={() => setZoomed(null)}
        />
      )}
    </section>
  );
}

const split = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim().replace(/\s+/g, " "))
    .filter(Boolean);

const added = (words: string[], word: string): string[] =>
  words.some((known) => known.toLowerCase() === word.toLowerCase()) ? words : [...words, word];

interface FieldProps {
  called: string;
  words: string[];
  typed: string;
  onTyped: (text: string) => void;
  onWords: (words: string[]) => void;
}

function KeywordField({ called, words, typed, onTyped, onWords }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const take = (text: string) => {
    const found = split(text);
    if (found.some((word) => /[<>]/.test(word))) return complain("A keyword is plain text, without < and >");
    onTyped("");
    if (found.length) onWords(found.reduce(added, words));
  };
  return (
    <div class="words">
      {words.map((word) => (
        <span class="tag" key={word}>
          <bdi>{word}</bdi>
          <button
            type="button"
            aria-label={`Remove ${word} from ${called}`}
            onClick={() => {
              onWords(words.filter((each) => each !== word));
              field.current?.focus();
            }}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        ref={field}
        value={typed}
        maxLength={100}
        autocomplete="off"
        autocapitalize="off"
        placeholder={words.length ? "" : "keywords"}
        aria-label={`Keywords of ${called}`}
        onInput={(event) => {
          const text = event.currentTarget.value;
          if (/[,\n]/.test(text)) take(text);
          else onTyped(text);
        }}
        onBlur={() => typed.trim() && take(typed)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            take(typed);
          } else if (event.key === "Backspace" && !typed && words.length) onWords(words.slice(0, -1));
        }}
      />
    </div>
  );
}
