// The canvas of the map: move it, enlarge it, point at pictures.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Cluster } from "../api/types";
import { useStore } from "../state/store";
import { reduceViewport, type Viewport, type ViewportAction, WHOLE_MAP } from "../state/viewport";
import { worded } from "../state/words";
import { Icon } from "./icons";
import { Picture } from "./picture";
import type { Point, Scatter } from "./scatter";
import { count, titleOf } from "./text";

const STEP = 60; // pixels with every press of an arrow key
const CLICK = 6; // pixels that a finger may move and still click

const MOVES: Record<string, ViewportAction> = {
  "0": { type: "reset" },
  ArrowLeft: { type: "moved", dx: STEP, dy: 0 },
  ArrowRight: { type: "moved", dx: -STEP, dy: 0 },
  ArrowUp: { type: "moved", dx: 0, dy: STEP },
  ArrowDown: { type: "moved", dx: 0, dy: -STEP },
};
const ZOOMS: Record<string, number> = { "+": 1.5, "=": 1.5, "-": 1 / 1.5 };

interface PlaneProps {
  scatter: Scatter;
  clusters: Cluster[];
  edges: boolean;
  only: number | null;
  dark: boolean;
  drawn: number;
}

export function MapPlane({ scatter, clusters, edges, only, dark, drawn }: PlaneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { state, dispatch } = useStore(reduceViewport, WHOLE_MAP);
  const view = state.value;
  const size = useResized(canvas);
  const { hover, handlers } = usePointers(scatter, view, dispatch);
  useEffect(() => {
    const frame = requestAnimationFrame(
      () => canvas.current && scatter.draw(canvas.current, view, { edges, only, dark }),
    );
    return () => cancelAnimationFrame(frame);
  }, [scatter, view, edges, only, dark, size, drawn]);
  const zoom = (factor: number) => {
    const { clientWidth = 0, clientHeight = 0 } = canvas.current ?? {};
    dispatch({ type: "zoomed", factor, x: clientWidth / 2, y: clientHeight / 2 });
  };
  const down = (event: KeyboardEvent) => {
    const [move, factor] = [MOVES[event.key], ZOOMS[event.key]];
    if (event.ctrlKey || event.metaKey || (!move && !factor)) return;
    event.preventDefault();
    if (move) dispatch(move);
    if (factor) zoom(factor);
  };
  return (
    <div class="plane">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={worded`Map of ${count(scatter.points.length, "picture")} in ${count(scatter.nClusters, "cluster")}. Arrow keys move it, plus and minus enlarge it; the list after it opens the clusters.`}
        {...handlers}
        onKeyDown={down}
      />
      <ZoomButtons onZoom={zoom} onReset={() => dispatch({ type: "reset" })} />
      {hover && canvas.current && <Hover hover={hover} canvas={canvas.current} scatter={scatter} clusters={clusters} />}
    </div>
  );
}

/** A number that changes whenever the canvas has another size. */
function useResized(canvas: { current: HTMLCanvasElement | null }): number {
  const [size, setSize] = useState(0);
  useEffect(() => {
    if (!canvas.current) return;
    const watched = new ResizeObserver(() => setSize((n) => n + 1));
    watched.observe(canvas.current);
    return () => watched.disconnect();
  }, []);
  return size;
}

interface Hovered {
  point: Point;
  x: number;
  y: number;
}

const canvasOf = (event: Event): HTMLCanvasElement => event.currentTarget as HTMLCanvasElement;

/** Where the pointer is on the canvas. */
function at(event: MouseEvent): [number, number] {
  const box = canvasOf(event).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** One finger moves, two enlarge, the wheel enlarges, a click opens a cluster; gives the picture that is pointed at. */
function usePointers(scatter: Scatter, view: Viewport, dispatch: (action: ViewportAction) => void) {
  const [hover, setHover] = useState<Hovered | null>(null);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const dragged = useRef(0);
  const under = (event: MouseEvent): Point | null => {
    const { clientWidth: width, clientHeight: height } = canvasOf(event);
    return scatter.near(...at(event), view, { width, height });
  };
  const zoomAt = (factor: number, [x, y]: [number, number]) => dispatch({ type: "zoomed", factor, x, y });
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) {
      const point = under(event);
      const [x, y] = at(event);
      return setHover(point && { point, x, y });
    }
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    dragged.current += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    setHover(null);
    if (!other) return dispatch({ type: "moved", dx: now.x - before.x, dy: now.y - before.y });
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(now.x - other.x, now.y - other.y);
    const box = canvasOf(event).getBoundingClientRect();
    if (was > 0) zoomAt(is / was, [(now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top]);
  };
  const handlers = {
    onWheel: (event: WheelEvent) => {
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY / 400), at(event));
    },
    onPointerDown: (event: PointerEvent) => {
      canvasOf(event).setPointerCapture(event.pointerId);
      if (pointers.current.size === 0) dragged.current = 0;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove: move,
    onPointerUp: (event: PointerEvent) => {
      pointers.current.delete(event.pointerId);
      const point = dragged.current < CLICK ? under(event) : null;
      if (point) location.hash = `#/clusters/${point.cluster}`;
    },
    onPointerCancel: (event: PointerEvent) => void pointers.current.delete(event.pointerId),
    onPointerLeave: () => setHover(null),
  };
  return { hover, handlers };
}

function ZoomButtons({ onZoom, onReset }: { onZoom: (factor: number) => void; onReset: () => void }) {
  return (
    <fieldset class="zooming" aria-label="Zoom">
      <button type="button" class="icon" aria-label="Enlarge" onClick={() => onZoom(1.5)}>
        <Icon name="plus" />
      </button>
      <button type="button" class="icon" aria-label="Make smaller" onClick={() => onZoom(1 / 1.5)}>
        <Icon name="minus" />
      </button>
      <button type="button" class="icon" aria-label="Show all" onClick={onReset}>
        <Icon name="enlarge" />
      </button>
    </fieldset>
  );
}

interface HoverProps {
  hover: Hovered;
  canvas: HTMLCanvasElement;
  scatter: Scatter;
  clusters: Cluster[];
}

/** The picture under the pointer, beside it on the side where there is room. */
function Hover({ hover: { point, x, y }, canvas, scatter, clusters }: HoverProps) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const cluster = clusters.find((each) => each.id === point.cluster);
  const style = {
    ...(x < width / 2 ? { left: `${x + 14}px` } : { right: `${width - x + 14}px` }),
    ...(y < height / 2 ? { top: `${y + 14}px` } : { bottom: `${height - y + 14}px` }),
  };
  return (
    <div class="hover" style={style}>
      <Picture id={point.image} alt="" />
      <bdi>{titleOf(cluster ?? { name: "", size: scatter.size(point.cluster) })}</bdi>
    </div>
  );
}
