// The pictures of a grid: tapped or pressed with Space they are odd, pointed at they are enlarged.
import { useRef, useState } from "preact/hooks";
import { arrows } from "./arrow-keys";
import { Icon } from "./icons";
import { useKeys } from "./keys";
import { PeekPicture, usePeek } from "./peek";
import { Picture } from "./picture";
import { Zoom } from "./zoom";

const ARROWS = { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" };

interface Props {
  items: number[];
  odd: ReadonlySet<number>;
  onToggle: (id: number) => void;
  onSend: () => void;
}

export function GridTiles({ items, odd, onToggle, onSend }: Props) {
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
      <ul class="tiles" onKeyDown={down} ref={list}>
        {items.map((id, k) => (
          <li key={id}>
            <button
              type="button"
              class={odd.has(id) ? "tile odd" : "tile"}
              aria-pressed={odd.has(id)}
              aria-label={`Picture ${k + 1} of ${items.length} is odd`}
              data-item={id}
              {...peek.handlersOf(id)}
              onClick={() => onToggle(id)}
            >
              <Picture id={id} alt="" />
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
