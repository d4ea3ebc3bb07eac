// The canvas of the map: move it, enlarge it, point at pictures.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Cluster } from "../api/types";
import { Icon } from "./icons";
import { Picture } from "./picture";
import { type Scatter, START, type View } from "./scatter";
import { count, titleOf } from "./text";

interface PlaneProps {
  scatter: Scatter;
  clusters: Cluster[];
  edges: boolean;
  only: number | null;
  dark: boolean;
  drawn: number;
}

export function Plane({ scatter, clusters, edges, only, dark, drawn }: PlaneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View>(START);
  const [hover, setHover] = useState<{ k: number; x: number; y: number } | null>(null);
  const [size, setSize] = useState(0);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const dragged = useRef(0);

  useEffect(() => {
    const frame = requestAnimationFrame(
      () => canvas.current && scatter.draw(canvas.current, view, { edges, only, dark }),
    );
    return () => cancelAnimationFrame(frame);
  }, [scatter, view, edges, only, dark, size, drawn]);
  useEffect(() => {
    const watched = new ResizeObserver(() => setSize((n) => n + 1));
    watched.observe(canvas.current!);
    return () => watched.disconnect();
  }, []);

  const zoomAt = (factor: number, x = canvas.current!.clientWidth / 2, y = canvas.current!.clientHeight / 2) =>
    setView((now) => {
      const zoom = Math.max(1, Math.min(400, now.zoom * factor));
      const by = zoom / now.zoom;
      return zoom === 1 ? START : { zoom, x: x - (x - now.x) * by, y: y - (y - now.y) * by };
    });
  const pan = (dx: number, dy: number) => setView((now) => ({ ...now, x: now.x + dx, y: now.y + dy }));
  const at = (event: MouseEvent): [number, number] => {
    const box = canvas.current!.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const under = (event: MouseEvent): number | null =>
    scatter.near(...at(event), view, canvas.current!.clientWidth, canvas.current!.clientHeight);

  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) {
      const k = under(event);
      const [x, y] = at(event);
      return setHover(k === null ? null : { k, x, y });
    }
    const now = { x: event.clientX, y: event.clientY };
    const others = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    pointers.current.set(event.pointerId, now);
    dragged.current += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    const other = others[0];
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(now.x - other.x, now.y - other.y);
      const box = canvas.current!.getBoundingClientRect();
      if (was > 0) zoomAt(is / was, (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
    } else pan(now.x - before.x, now.y - before.y);
    setHover(null);
  };
  const keys: Record<string, () => void> = {
    "+": () => zoomAt(1.5),
    "=": () => zoomAt(1.5),
    "-": () => zoomAt(1 / 1.5),
    "0": () => setView(START),
    ArrowLeft: () => pan(60, 0),
    ArrowRight: () => pan(-60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
  };

  const found = hover === null ? null : scatter.data.cluster[hover.k]!;
  const cluster = clusters.find((each) => each.id === found);
  return (
    <div class="plane">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={`Map of ${count(scatter.data.images.length, "picture")} in ${count(scatter.rank.size, "cluster")}. Arrow keys move it, plus and minus enlarge it; the list after it opens the clusters.`}
        onWheel={(event) => {
          event.preventDefault();
          zoomAt(Math.exp(-event.deltaY / 400), ...at(event));
        }}
        onPointerDown={(event) => {
          canvas.current!.setPointerCapture(event.pointerId);
          if (pointers.current.size === 0) dragged.current = 0;
          pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        }}
        onPointerMove={move}
        onPointerUp={(event) => {
          pointers.current.delete(event.pointerId);
          const k = dragged.current < 6 ? under(event) : null;
          if (k !== null) location.hash = `#/clusters/${scatter.data.cluster[k]!}`;
        }}
        onPointerCancel={(event) => pointers.current.delete(event.pointerId)}
        onPointerLeave={() => setHover(null)}
        onKeyDown={(event) => {
          const run = event.ctrlKey || event.metaKey ? undefined : keys[event.key];
          if (!run) return;
          event.preventDefault();
          run();
        }}
      />
      <div class="zooming" role="group" aria-label="Zoom">
        <button type="button" class="icon" aria-label="Enlarge" onClick={() => zoomAt(1.5)}>
          <Icon name="plus" />
        </button>
        <button type="button" class="icon" aria-label="Make smaller" onClick={() => zoomAt(1 / 1.5)}>
          <Icon name="minus" />
        </button>
        <button type="button" class="icon" aria-label="Show all" onClick={() => setView(START)}>
          <Icon name="enlarge" />
        </button>
      </div>
      {hover && (
        <div class="hover" style={besides(hover, canvas.current!)}>
          <Picture id={scatter.data.images[hover.k]!} alt="" />
          <bdi>{cluster ? titleOf(cluster) : `Unnamed, ${count(scatter.size(found!), "picture")}`}</bdi>
        </div>
      )}
    </div>
  );
}

/** Beside the pointer, on the side where there is room. */
function besides({ x, y }: { x: number; y: number }, canvas: HTMLCanvasElement) {
  return {
    ...(x < canvas.clientWidth / 2 ? { left: `${x + 14}px` } : { right: `${canvas.clientWidth - x + 14}px` }),
    ...(y < canvas.clientHeight / 2 ? { top: `${y + 14}px` } : { bottom: `${canvas.clientHeight - y + 14}px` }),
  };
}
