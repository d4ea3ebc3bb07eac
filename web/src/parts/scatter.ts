// Draws the map on a canvas and finds what is under the pointer.
import { picture } from "../api/routes";
import type { MapData } from "../api/types";

const THUMBS = 220; // with no more than so many in sight, they are shown as small pictures
const CELLS = 64; // of the index, along either side
const EDGE = 34; // longer side of a small picture
const PAD = 28;
const MANY = 5000; // points are squares, which are quicker to draw
type Place = [x: number, y: number];

interface Options {
  edges: boolean;
  only: number | null;
  dark: boolean;
}

export interface View {
  zoom: number;
  x: number;
  y: number;
}

export const START: View = { zoom: 1, x: 0, y: 0 };

/** Colours by size of the cluster: the golden angle keeps those of similar size apart. */
export function colourOf(rank: number, dark: boolean): string {
  const hue = (215 + rank * 137.508) % 360;
  return `hsl(${hue.toFixed(0)} ${rank < 24 ? 68 : 30}% ${dark ? 66 : 44}%)`;
}

export class Scatter {
  readonly rank = new Map<number, number>();
  private readonly row = new Map<number, number>();
  private readonly cells: number[][] = Array.from({ length: CELLS * CELLS }, () => []);
  private readonly thumbs = new Map<number, HTMLImageElement>();
  private readonly byCluster = new Map<number, number[]>();

  constructor(
    readonly data: MapData,
    private readonly redraw: () => void,
  ) {
    data.images.forEach((image, k) => {
      this.row.set(image, k);
      this.cells[this.cellOf(data.x[k]!, data.y[k]!)]!.push(k);
      const rows = this.byCluster.get(data.cluster[k]!);
      if (rows) rows.push(k);
      else this.byCluster.set(data.cluster[k]!, [k]);
    });
    const bySize = [...this.byCluster].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]);
    bySize.forEach(([cluster], rank) => this.rank.set(cluster, rank));
  }

  private cellOf(x: number, y: number): number {
    const place = (value: number) => Math.max(0, Math.min(CELLS - 1, Math.floor(value * CELLS)));
    return place(y) * CELLS + place(x);
  }

  /** Where a picture is on the canvas. */
  place(k: number, view: View, width: number, height: number): Place {
    const pad = PAD;
    const x = (pad + this.data.x[k]! * (width - 2 * pad)) * view.zoom + view.x;
    const y = (pad + (1 - this.data.y[k]!) * (height - 2 * pad)) * view.zoom + view.y;
    return [x, y];
  }

  /** The picture nearest to a point of the canvas, within reach of the pointer. */
  near(px: number, py: number, view: View, width: number, height: number): number | null {
    const pad = PAD;
    const reach = 18;
    const unit = (p: number, shift: number, side: number) => ((p - shift) / view.zoom - pad) / (side - 2 * pad);
    const left = unit(px - reach, view.x, width);
    const right = unit(px + reach, view.x, width);
    const top = 1 - unit(py - reach, view.y, height);
    const bottom = 1 - unit(py + reach, view.y, height);
    let best: number | null = null;
    let least = reach * reach;
    const [c0, c1] = [Math.max(0, Math.floor(left * CELLS)), Math.min(CELLS - 1, Math.floor(right * CELLS))];
    const [r0, r1] = [Math.max(0, Math.floor(bottom * CELLS)), Math.min(CELLS - 1, Math.floor(top * CELLS))];
    for (let row = r0; row <= r1; row++) {
      for (let column = c0; column <= c1; column++) {
        for (const k of this.cells[row * CELLS + column]!) {
          const [x, y] = this.place(k, view, width, height);
          const far = (x - px) ** 2 + (y - py) ** 2;
          if (far < least) [least, best] = [far, k];
        }
      }
    }
    return best;
  }

  /** How many pictures a cluster has here. */
  size(cluster: number): number {
    return this.byCluster.get(cluster)?.length ?? 0;
  }

  draw(canvas: HTMLCanvasElement, view: View, options: Options): void {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const ink = canvas.getContext("2d")!;
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    ink.clearRect(0, 0, width, height);
    if (options.edges) this.drawEdges(ink, view, width, height);
    const places = this.data.images.map((_, k) => this.place(k, view, width, height));
    const seen = places.map(([x, y]) => x > -EDGE && y > -EDGE && x < width + EDGE && y < height + EDGE);
    const n = seen.reduce((sum, each) => sum + Number(each), 0);
    const radius = n > 20000 ? 1.5 : n > 3000 ? 2.5 : n > 600 ? 4 : 6;
    for (const [cluster, rows] of this.byCluster) {
      ink.globalAlpha = options.only !== null && options.only !== cluster ? 0.12 : 0.9;
      ink.fillStyle = colourOf(this.rank.get(cluster)!, options.dark);
      ink.beginPath();
      for (const k of rows) {
        if (!seen[k]) continue;
        const [x, y] = places[k]!;
        if (n > MANY) {
          ink.rect(x - radius, y - radius, 2 * radius, 2 * radius);
          continue;
        }
        ink.moveTo(x + radius, y);
        ink.arc(x, y, radius, 0, 7);
      }
      ink.fill();
    }
    if (n <= THUMBS) seen.forEach((each, k) => each && this.drawThumb(ink, k, places[k]!, options));
    ink.globalAlpha = 1;
  }

  private drawEdges(ink: CanvasRenderingContext2D, view: View, width: number, height: number): void {
    const style = getComputedStyle(ink.canvas);
    for (const value of ["different", "same"]) {
      ink.strokeStyle = style.getPropertyValue(`--${value}-ink`);
      ink.globalAlpha = value === "same" ? 0.75 : 0.4;
      ink.lineWidth = value === "same" ? 1.6 : 1.1;
      ink.setLineDash(value === "same" ? [] : [4, 4]);
      ink.beginPath();
      for (const [i, j, said] of this.data.edges) {
        const [a, b] = [this.row.get(i), this.row.get(j)];
        if (said !== value || a === undefined || b === undefined) continue;
        ink.moveTo(...this.place(a, view, width, height));
        ink.lineTo(...this.place(b, view, width, height));
      }
      ink.stroke();
    }
    ink.setLineDash([]);
  }

  private drawThumb(ink: CanvasRenderingContext2D, k: number, [x, y]: Place, options: Options): void {
    const image = this.thumb(this.data.images[k]!);
    if (!image.complete || !image.naturalWidth) return;
    const shrink = EDGE / Math.max(image.naturalWidth, image.naturalHeight);
    const [w, h] = [image.naturalWidth * shrink, image.naturalHeight * shrink];
    const cluster = this.data.cluster[k]!;
    ink.globalAlpha = options.only !== null && options.only !== cluster ? 0.15 : 1;
    ink.fillStyle = colourOf(this.rank.get(cluster)!, options.dark);
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
