// The pictures of a grid: tapped or pressed with Space they are odd, pointed at they are enlarged.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { worded } from "../state/words";
import { arrows } from "./arrow-keys";
import { Icon } from "./icons";
import { keyName, shortcut, useKeys } from "./keys";
import { PeekPicture, usePeek } from "./peek";
import { Picture } from "./picture";
import { Zoom } from "./zoom";

const ARROWS = { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" };

/** So many columns that all tiles fit and few places stay empty: on a wide screen, and on a narrow one. */
const columnsOf = (n: number): JSX.CSSProperties =>
  ({
    "--columns": Math.ceil(n / Math.max(1, Math.round(Math.sqrt(n / 1.7)))),
    "--narrow": n <= 4 ? 2 : n <= 12 ? 3 : n <= 20 ? 4 : 5,
  }) as JSX.CSSProperties;

interface Props {
  items: number[];
  odd: ReadonlySet<number>;
  onToggle: (id: number) => void;
  onSend: () => void;
  /** The key of each picture. */
  labels?: string[];
  /** What pressing a picture says of it. */
  describe?: (place: number) => string;
}

export function GridTiles({ items, odd, onToggle, onSend, labels, describe }: Props) {
  const peek = usePeek();
  const list = useRef<HTMLUListElement>(null);
  useKeys(ARROWS, true, () => list.current?.querySelector<HTMLElement>(".tile")?.focus()); // from elsewhere
  const [zoomed, setZoomed] = useState<number | null>(null);
  const down = (event: KeyboardEvent) => {
    const at = [...(event.currentTarget as HTMLElement).querySelectorAll(".tile")].indexOf(event.target as HTMLElement);
    if (at < 0 || event.repeat) return arrows(event);
    if (event.key === "Enter") onSend();
    else if (event.key.toLowerCase() === "z" && !event.ctrlKey && !event.metaKey) setZoomed(at);
    else return arrows(event);
    event.preventDefault();
  };
  return (
    <>
      <ul class="tiles" onKeyDown={down} ref={list} style={columnsOf(items.length)}>
        {items.map((id, k) => (
          <li key={id}>
            <button
              type="button"
              class={odd.has(id) ? "tile odd" : "tile"}
              aria-pressed={odd.has(id)}
              aria-label={describe ? undefined : worded`Picture ${k + 1} of ${items.length} is odd`}
              data-name={describe?.(k)}
              aria-keyshortcuts={labels?.[k] ? shortcut(labels[k]) : undefined}
              data-item={id}
              {...peek.handlersOf(id)}
              onClick={() => onToggle(id)}
            >
              <Picture id={id} alt="" />
              {labels?.[k] && <kbd class="tile-key">{keyName(labels[k])}</kbd>}
              {describe && <span class="hidden">{describe(k)}</span>}
              {odd.has(id) && (
                <span class="tick">
                  <Icon name="close" />
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <PeekPicture shown={peek.shown} />
      {zoomed !== null && <Zoom ids={items} at={zoomed} onClose={() => setZoomed(null)} />}
    </>
  );
}
