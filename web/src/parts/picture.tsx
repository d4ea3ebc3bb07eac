// Pictures by id; a word where one is gone.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { picture } from "../api/routes";
import { worded } from "../state/words";

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
      <span class="gone" role="img" aria-label={`${alt || worded`A picture`}, not there any more`}>
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
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas does not take the focus by itself
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
  element.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}

/** Fetch pictures of questions to come. */
export function preload(ids: readonly number[]): void {
  ids.forEach((id, k) => {
    new Image().src = picture(id);
    if (k < LARGE_AHEAD) new Image().src = picture(id, "preview");
  });
}

const LARGE_AHEAD = 8; // the rest are small ones of a grid
