// One picture enlarged, the others an arrow key away.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons";
import { Picture } from "./picture";

interface ZoomProps {
  ids: number[];
  at: number;
  names?: string[];
  onClose: () => void;
  /** What else belongs to the picture in sight. */
  below?: (id: number) => ComponentChildren;
}

/** One picture in its own size or fitted, with the others of the question an arrow key away. */
export function Zoom({ ids, at, names, onClose, below }: ZoomProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState(at);
  const [whole, setWhole] = useState(true);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  const step = (by: number) => setShown((now) => (now + by + ids.length) % ids.length);
  const name = names?.[shown] ?? "Picture";
  const down = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else if (event.key.toLowerCase() === "z") close();
    else if (event.key === "f" || event.key === "F") setWhole((now) => !now);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <dialog class="zoom" ref={dialog} onClose={onClose} onKeyDown={down} aria-label={`Enlarged: ${name}`}>
      <div
        class={whole ? "stage whole" : "stage"}
        tabIndex={whole ? -1 : 0}
        onClick={(e) => e.target === e.currentTarget && close()}
      >
        <Picture id={ids[shown]!} size="full" alt={name} />
      </div>
      {below && (
        <div class="below-picture" onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}>
          {below(ids[shown]!)}
        </div>
      )}
      <div class="bar">
        <span class="name">{name}</span>
        {ids.length > 1 && (
          <>
            <button
              type="button"
              class="icon"
              onClick={() => step(-1)}
              aria-label="The one before"
              title="The one before (←)"
            >
              <Icon name="left" />
            </button>
            <button
              type="button"
              class="icon"
              onClick={() => step(1)}
              aria-label="The next one"
              title="The next one (→)"
            >
              <Icon name="right" />
            </button>
          </>
        )}
        <button type="button" onClick={() => setWhole((now) => !now)} aria-pressed={!whole}>
          Own size <kbd>F</kbd>
        </button>
        <button type="button" autofocus onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}
