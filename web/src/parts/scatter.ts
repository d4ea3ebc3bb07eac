// Draws the map on a canvas and finds what is under the pointer.
import { picture } from "../api/routes";
import type { MapData } from "../api/types";
import type { Viewport } from "../state/viewport";
import { colourOf } from "./group-mark";

const THUMBS = 220; // with no more than so many in sight, they are shown as small pictures
const CELLS = 64; // of the index, along either side
const EDGE = 34; // longer side of a small picture
const PAD = 28;
const REACH = 18; // of the pointer
const MANY = 5000; // points are squares, which are quicker to draw
const GLIDE = 900; // milliseconds in which pictures move to new places

type XY = [x: number, y: number];

interface Options {
  edges: boolean;
  only: number | null;
  dark: boolean;
}

interface Size {
  width: number;
  height: number;
}

/** A picture on the map; its coordinates are between 0 and 1. */
export interface Point {
  image: number;
  x: number;
  y: number;
  cluster: number;
}

/** A picture on its way from one place to another. */
interface Glide {
  point: Point;
  from: XY;
  to: XY;
}

export class Scatter {
  readonly points: Point[];
  private readonly pointOf: Map<number, Point>;
  private readonly cells = new Map<number, Point[]>();
  private readonly thumbs = new Map<number, HTMLImageElement>();
  private readonly byCluster = new Map<number, Point[]>();
  private glides: Glide[] = [];
  private glideStart = 0;

  constructor(
    private readonly data: MapData,
    private readonly redraw: () => void,
  ) {
    const { images, x, y, cluster } = data;
    this.points = images.map((image, k) => ({ image, x: x[k] ?? 0, y: y[k] ?? 0, cluster: cluster[k] ?? -1 }));
    this.pointOf = new Map(this.points.map((point) => [point.image, point]));
    for (const point of this.points) {
      push(this.cells, cellAt(point.y) * CELLS + cellAt(point.x), point);
      push(this.byCluster, point.cluster, point);
    }
  }

  /** Begin where another map shows its pictures and move over, unless people want no motion. */
  glideFrom(before: Scatter): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const point of this.points) {
      const was = before.pointOf.get(point.image);
      if (!was || (was.x === point.x && was.y === point.y)) continue;
      this.glides.push({ point, from: [was.x, was.y], to: [point.x, point.y] });
    }
    this.glideStart = performance.now();
    this.moveOn(this.glideStart);
  }

  /** Put pictures that are on their way where they are now; whether some still are. */
  private moveOn(now: number): boolean {
    const share = Math.min(1, Math.max(0, (now - this.glideStart) / GLIDE));
    const eased = share * share * (3 - 2 * share);
    for (const { point, from, to } of this.glides) {
      point.x = from[0] + eased * (to[0] - from[0]);
      point.y = from[1] + eased * (to[1] - from[1]);
    }
    if (share === 1) this.glides = [];
    return this.glides.length > 0;
  }

  /** The picture nearest to a point of the canvas, within reach of the pointer. */
  near(px: number, py: number, view: Viewport, size: Size): Point | null {
    const unit = (p: number, shift: number, side: number) => ((p - shift) / view.zoom - PAD) / (side - 2 * PAD);
    const columns = cellRange(unit(px - REACH, view.x, size.width), unit(px + REACH, view.x, size.width));
    const rows = cellRange(1 - unit(py + REACH, view.y, size.height), 1 - unit(py - REACH, view.y, size.height));
    let best: Point | null = null;
    let least = REACH * REACH;
    for (const row of rows) {
      for (const column of columns) {
        for (const point of this.cells.get(row * CELLS + column) ?? []) {
          const [x, y] = positionOf(point, view, size);
          const far = (x - px) ** 2 + (y - py) ** 2;
          if (far < least) [least, best] = [far, point];
        }
      }
    }
    return best;
  }

  /** How many pictures a cluster has here. */
  size(cluster: number): number {
    return this.byCluster.get(cluster)?.length ?? 0;
  }

  get nClusters(): number {
    return this.byCluster.size;
  }

  draw(canvas: HTMLCanvasElement, view: Viewport, options: Options): void {
    const ink = canvas.getContext("2d");
    if (!ink) return;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    fit(canvas, ink, size);
    const moves = this.moveOn(performance.now());
    if (options.edges) this.drawEdges(ink, view, size);
    const seen = this.points.filter((point) => isSeen(positionOf(point, view, size), size));
    const radius = seen.length > 20000 ? 1.5 : seen.length > 3000 ? 2.5 : seen.length > 600 ? 4 : 6;
    const dot = seen.length > MANY ? square : disc;
    for (const [cluster, points] of this.byCluster) {
      ink.globalAlpha = options.only !== null && options.only !== cluster ? 0.12 : 0.9;
      ink.fillStyle = colourOf(cluster, options.dark);
      ink.beginPath();
      for (const point of points) {
        const at = positionOf(point, view, size);
        if (isSeen(at, size)) dot(ink, at, radius);
      }
      ink.fill();
    }
    if (seen.length <= THUMBS) {
      for (const point of seen) this.drawThumb(ink, point, positionOf(point, view, size), options);
    }
    ink.globalAlpha = 1;
    if (moves) this.redraw();
  }

  private drawEdges(ink: CanvasRenderingContext2D, view: Viewport, size: Size): void {
    const style = getComputedStyle(ink.canvas);
    for (const value of ["different", "same"]) {
      ink.strokeStyle = style.getPropertyValue(`--${value}-ink`);
      ink.globalAlpha = value === "same" ? 0.75 : 0.4;
      ink.lineWidth = value === "same" ? 1.6 : 1.1;
      ink.setLineDash(value === "same" ? [] : [4, 4]);
      ink.beginPath();
      for (const [i, j, answer] of this.data.edges) {
        const [a, b] = [this.pointOf.get(i), this.pointOf.get(j)];
        if (answer !== value || !a || !b) continue;
        ink.moveTo(...positionOf(a, view, size));
        ink.lineTo(...positionOf(b, view, size));
      }
      ink.stroke();
    }
    ink.setLineDash([]);
  }

  private drawThumb(ink: CanvasRenderingContext2D, { image: id, cluster }: Point, [x, y]: XY, options: Options): void {
    const image = this.thumb(id);
    if (!image.complete || !image.naturalWidth) return;
    const shrink = EDGE / Math.max(image.naturalWidth, image.naturalHeight);
    const [w, h] = [image.naturalWidth * shrink, image.naturalHeight * shrink];
    ink.globalAlpha = options.only !== null && options.only !== cluster ? 0.15 : 1;
    ink.fillStyle = colourOf(cluster, options.dark);
    ink.fillRect(x - w / 2 - 2.5, y - h / 2 - 2.5, w + 5, h + 5);
    ink.drawImage(image, x - w / 2, y - h / 2, w, h);
  }

  private thumb(id: number): HTMLImageElement {
    const known = this.thumbs.get(id);
    if (known) return known;
    if (this.thumbs.size > 3 * THUMBS) this.thumbs.clear();
    const image = new Image();
    image.onload = this.redraw;
    image.src = picture(id);
    this.thumbs.set(id, image);
    return image;
  }
}

/** Give the canvas as many pixels as the screen has for it, and empty it. */
function fit(canvas: HTMLCanvasElement, ink: CanvasRenderingContext2D, { width, height }: Size): void {
  const ratio = devicePixelRatio || 1;
  if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
    canvas.width = width * ratio;
    canvas.height = height * ratio;
  }
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  ink.clearRect(0, 0, width, height);
}

/** Where a picture is on the canvas. */
function positionOf(point: Point, view: Viewport, { width, height }: Size): XY {
  const x = (PAD + point.x * (width - 2 * PAD)) * view.zoom + view.x;
  const y = (PAD + (1 - point.y) * (height - 2 * PAD)) * view.zoom + view.y;
  return [x, y];
}

const isSeen = ([x, y]: XY, { width, height }: Size): boolean =>
  x > -EDGE && y > -EDGE && x < width + EDGE && y < height + EDGE;

function square(ink: CanvasRenderingContext2D, [x, y]: XY, radius: number): void {
  ink.rect(x - radius, y - radius, 2 * radius, 2 * radius);
}

function disc(ink: CanvasRenderingContext2D, [x, y]: XY, radius: number): void {
  ink.moveTo(x + radius, y);
  ink.arc(x, y, radius, 0, 7);
}

const cellAt = (value: number): number => Math.max(0, Math.min(CELLS - 1, Math.floor(value * CELLS)));

/** The cells between two coordinates that are on the map. */
function cellRange(from: number, to: number): number[] {
  const first = Math.max(0, Math.floor(from * CELLS));
  const last = Math.min(CELLS - 1, Math.floor(to * CELLS));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
