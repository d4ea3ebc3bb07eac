// How the map is moved and enlarged.

export interface Viewport {
  zoom: number;
  x: number;
  y: number;
}

export type ViewportAction =
  | { type: "zoomed"; factor: number; x: number; y: number }
  | { type: "moved"; dx: number; dy: number }
  | { type: "reset" };

const LARGEST_ZOOM = 400;

export const WHOLE_MAP: Viewport = { zoom: 1, x: 0, y: 0 };

/** Enlarging keeps the point under the pointer; the smallest size shows the whole map. */
export function reduceViewport(view: Viewport, action: ViewportAction): Viewport {
  switch (action.type) {
    case "zoomed": {
      const zoom = Math.max(1, Math.min(LARGEST_ZOOM, view.zoom * action.factor));
      const by = zoom / view.zoom;
      const { x, y } = action;
      return zoom === 1 ? WHOLE_MAP : { zoom, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
    }
    case "moved":
      return { ...view, x: view.x + action.dx, y: view.y + action.dy };
    case "reset":
      return WHOLE_MAP;
  }
}
