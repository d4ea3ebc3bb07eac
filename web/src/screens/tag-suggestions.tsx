// Tags that are probably missing, to be taken or turned down.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Suggestion, Tags } from "../api/types";
import { Icon } from "../parts/icons";
import { Picture } from "../parts/picture";
import { setTag, TagLine } from "../parts/tag-line";
import { percent } from "../parts/text";
import { Zoom } from "../parts/zoom";
import { attempt, complain } from "../state/toasts";
import { say } from "../state/undo";
import { worded } from "../state/words";

const PAGE = 48;

interface Props {
  only: string | null;
  tags: Tags;
  onDone: () => void;
}

export function Suggestions({ only, tags, onDone }: Props) {
  const [found, setFound] = useState<{ total: number; suggestions: Suggestion[] } | null>(null);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const load = useCallback(() => void api.tagSuggestions(only, PAGE).then(setFound, complain), [only]);
  useEffect(load, [load, tags]);
  const decide = async (one: Suggestion, value: "yes" | "no") => {
    const index = found?.suggestions.indexOf(one) ?? 0;
    setFound((now) => now && { total: now.total - 1, suggestions: now.suggestions.filter((each) => each !== one) });
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll<HTMLElement>("li .accept") ?? [];
      left[Math.min(index, left.length - 1)]?.focus();
    });
    const isDone = await attempt(async () => {
      await setTag([one.image], one.tag, value);
      say(value === "yes" ? `Tagged ${one.tag}` : `Not ${one.tag}: it is not suggested again`, true);
    });
    (isDone ? onDone : load)();
  };
  return (
    <section class="box" aria-labelledby="suggestions-title">
      <h2 id="suggestions-title">
        Probably missing
        {only !== null && (
          <>
            : <bdi>{only}</bdi>
          </>
        )}{" "}
        {found && <span class="quiet">{found.total.toLocaleString("en")}</span>}
      </h2>
      {found?.total === 0 && (
        <p class="quiet">{tags.tree ? "Nothing that is not decided." : "Suggestions come with the tree."}</p>
      )}
      <ul class="suggestions" ref={list}>
        {found?.suggestions.map((one, at) => (
          <SuggestionTile
            key={`${one.image} ${one.tag}`}
            suggestion={one}
            onDecide={(value) => void decide(one, value)}
            onZoom={() => setZoomed(at)}
          />
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

interface TileProps {
  suggestion: Suggestion;
  onDecide: (value: "yes" | "no") => void;
  onZoom: () => void;
}

const KEYS: Record<string, "yes" | "no"> = { y: "yes", n: "no" };

function SuggestionTile({ suggestion: { image, tag, probability }, onDecide, onZoom }: TileProps) {
  const down = (event: KeyboardEvent) => {
    const value = KEYS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !value) return;
    onDecide(value);
    event.preventDefault();
  };
  return (
    <li onKeyDown={down}>
      <button type="button" class="shown" aria-label={worded`Enlarge picture ${image}`} onClick={onZoom}>
        <Picture id={image} alt="" />
      </button>
      <p>
        <bdi>{tag}</bdi> <span class="quiet">{percent(probability)}</span>
      </p>
      <div class="decide-tag">
        <button
          type="button"
          class="accept"
          aria-label={worded`${tag}: yes, picture ${image}`}
          title="Yes (Y)"
          onClick={() => onDecide("yes")}
        >
          <Icon name="check" />
        </button>
        <button
          type="button"
          aria-label={worded`${tag}: no, picture ${image}`}
          title="No, and not again (N)"
          onClick={() => onDecide("no")}
        >
          <Icon name="close" />
        </button>
      </div>
    </li>
  );
}
