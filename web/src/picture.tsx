// Pictures by id: a word where one is gone, a larger view on request.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { picture } from "./api";
import { Icon } from "./icons";

interface Props {
  id: number;
  size?: "thumb" | "preview" | "full";
  alt: string;
}

export function Picture({ id, size = "thumb", alt }: Props) {
  const [failed, setFailed] = useState(-1);
  const image = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => {
    const shown = image.current;
    return () => shown?.removeAttribute("src"); // what was scrolled past is not fetched before what is in sight
  }, [id, size]);
  if (failed === id) {
    return (
      <span class="gone" role="img" aria-label={`${alt || "A picture"}, not there any more`}>
        gone
      </span>
    );
  }
  // Lazily, small ones are fetched when near; the picture in question at once, over its thumbnail.
  const under = size === "preview" ? { backgroundImage: `url("${picture(id)}")` } : undefined;
  return (
    <img
      key={id}
      ref={image}
      src={picture(id, size)}
      alt={alt}
      style={under}
      loading={size === "thumb" ? "lazy" : "eager"}
      decoding="async"
      draggable={false}
      onLoad={under && ((event) => event.currentTarget.style.removeProperty("background-image"))}
      onError={() => setFailed(id)}
    />
  );
}

/**
 * A thumbnail on a canvas, decoded in the size in which it is shown: for walls of very many. The browser keeps the last
 * thousand decoded `img` in full, some hundred megabytes; of these it keeps what is in sight.
 */
export function Tile({ id }: { id: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [failed, setFailed] = useState(-1);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const stop = new AbortController();
    draw(element, id, stop.signal).catch(() => stop.signal.aborted || setFailed(id));
    return () => stop.abort();
  }, [id]);
  if (failed === id) return <span class="gone">gone</span>;
  return <canvas ref={canvas} class="tile-picture" aria-hidden="true" />;
}

async function draw(element: HTMLCanvasElement, id: number, signal: AbortSignal): Promise<void> {
  const response = await fetch(picture(id), { signal });
  if (!response.ok) throw new Error(response.statusText);
  const blob = await response.blob();
  const resizeWidth = Math.ceil(Math.max(element.clientWidth, element.clientHeight, 1) * devicePixelRatio);
  const bitmap = await createImageBitmap(blob, { resizeWidth, resizeQuality: "medium" });
  if (signal.aborted) return bitmap.close();
  element.width = bitmap.width;
  element.height = bitmap.height;
  element.getContext("bitmaprenderer")!.transferFromImageBitmap(bitmap);
}

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
      <div class={whole ? "stage whole" : "stage"} tabIndex={whole ? -1 : 0} onClick={(e) => e.target === e.currentTarget && close()}>
        <Picture id={ids[shown]!} size="full" alt={name} />
      </div>
      {below && <div class="below-picture" onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}>{below(ids[shown]!)}</div>}
      <div class="bar">
        <span class="name">{name}</span>
        {ids.length > 1 && (
          <>
            <button class="icon" onClick={() => step(-1)} aria-label="The one before" title="The one before (←)">
              <Icon name="left" />
            </button>
            <button class="icon" onClick={() => step(1)} aria-label="The next one" title="The next one (→)">
              <Icon name="right" />
            </button>
          </>
        )}
        <button onClick={() => setWhole((now) => !now)} aria-pressed={!whole}>
          Own size <kbd>F</kbd>
        </button>
        <button autofocus onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}

/** Fetch pictures of questions to come. */
export function preload(ids: readonly number[]): void {
  for (const id of ids) new Image().src = picture(id, "preview");
}
