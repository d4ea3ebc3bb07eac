// Tags that are probably missing, to be taken or turned down.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Suggestion, Tags } from "../api/types";
import { Icon } from "../parts/icons";
import { Picture } from "../parts/picture";
import { TagLine, tell } from "../parts/tag-line";
import { percent } from "../parts/text";
import { Zoom } from "../parts/zoom";
import { complain } from "../state/toasts";
import { say } from "../state/undo";

const PAGE = 48;

export function Suggestions({ only, tags, onDone }: { only: string | null; tags: Tags; onDone: () => void }) {
  const [found, setFound] = useState<{ total: number; suggestions: Suggestion[] } | null>(null);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const load = useCallback(() => void api.tagSuggestions(only, PAGE).then(setFound, complain), [only]);
  useEffect(load, [load, tags]);
  const decide = async (one: Suggestion, value: "yes" | "no") => {
    const place = found?.suggestions.indexOf(one) ?? 0;
    setFound((now) => now && { total: now.total - 1, suggestions: now.suggestions.filter((each) => each !== one) });
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll<HTMLElement>("li .accept") ?? [];
      left[Math.min(place, left.length - 1)]?.focus();
    });
    try {
      await tell([one.image], one.tag, value);
      say(value === "yes" ? `Tagged ${one.tag}` : `Not ${one.tag}: it is not suggested again`, true);
      onDone();
    } catch (error) {
      load();
      complain(error);
    }
  };
  const key = (event: KeyboardEvent, one: Suggestion) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "y") void decide(one, "yes");
    else if (event.key === "n") void decide(one, "no");
    else return;
    event.preventDefault();
  };
  return (
    <section class="box" aria-labelledby="suggestions-title">
      <h2 id="suggestions-title">
        {only === null ? (
          "Probably missing"
        ) : (
          <>
            Probably missing: <bdi>{only}</bdi>
          </>
        )}{" "}
        {found && <span class="quiet">{found.total.toLocaleString("en")}</span>}
      </h2>
      {found && found.total === 0 && (
        <p class="quiet">{tags.tree ? "Nothing that is not decided." : "Suggestions come with the tree."}</p>
      )}
      <ul class="suggestions" ref={list}>
        {found?.suggestions.map((one, at) => (
          <li key={`${one.image} ${one.tag}`} onKeyDown={(event) => key(event, one)}>
            <button
              type="button"
              class="shown"
              aria-label={`Enlarge picture ${one.image}`}
              onClick={() => setZoomed(at)}
            >
              <Picture id={one.image} alt="" />
            </button>
            <p>
              <bdi>{one.tag}</bdi> <span class="quiet">{percent(one.probability)}</span>
            </p>
            <div class="decide-tag">
              <button
                type="button"
                class="accept"
                aria-label={`${one.tag}: yes, picture ${one.image}`}
                title="Yes (Y)"
                onClick={() => void decide(one, "yes")}
              >
                <Icon name="check" />
              </button>
              <button
                type="button"
                aria-label={`${one.tag}: no, picture ${one.image}`}
                title="No, and not again (N)"
                onClick={() => void decide(one, "no")}
              >
                <Icon name="close" />
              </button>
            </div>
          </li>
        ))}
      </ul>
      {zoomed !== null && found?.suggestions[zoomed] && (
        <Zoom
          ids={found.suggestions.map((one) => one.image)}
          at={zoomed}
          onClose={() => setZoomed(null)}
          below={(id) => <TagLine ids={[id]} />}
        />
      )}
    </section>
  );
}
