// A picture enlarged while it is pointed at, or pressed for a while; nothing has to be closed.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Picture } from "./picture";

const HOVER_MS = 600; // longer than on the way to another one
const PRESS_MS = 450;
const MOVED = 12; // pixels: a finger that goes further scrolls

type PeekHandlers = Omit<JSX.HTMLAttributes<HTMLElement>, "ref">;

interface Peeked {
  id: number;
  /** Whether the picture it is of lies in the left half of the window. */
  isLeft: boolean;
}

export interface Peek {
  shown: Peeked | null;
  handlersOf: (id: number) => PeekHandlers;
}

/** Hovering shows it after a moment, a long press until the finger is lifted; that press is then no tap. */
export function usePeek(): Peek {
  const [shown, setShown] = useState<Peeked | null>(null);
  const timer = useRef(0);
  const from = useRef({ x: 0, y: 0 });
  const pressed = useRef(false);
  const stop = () => {
    clearTimeout(timer.current);
    setShown(null);
  };
  useEffect(() => {
    const down = (event: KeyboardEvent) => event.key === "Escape" && stop();
    addEventListener("keydown", down);
    addEventListener("scroll", stop, { passive: true });
    return () => {
      clearTimeout(timer.current);
      removeEventListener("keydown", down);
      removeEventListener("scroll", stop);
    };
  }, []);
  const soon = (event: PointerEvent, id: number, ms: number) => {
    clearTimeout(timer.current);
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    timer.current = window.setTimeout(() => {
      pressed.current = event.pointerType !== "mouse";
      setShown({ id, isLeft: box.left + box.width / 2 < innerWidth / 2 });
    }, ms);
  };
  const handlersOf = (id: number): PeekHandlers => ({
    onPointerEnter: (event) => event.pointerType === "mouse" && soon(event, id, HOVER_MS),
    onPointerLeave: stop,
    onPointerDown: (event) => {
      pressed.current = false;
      from.current = { x: event.clientX, y: event.clientY };
      if (event.pointerType !== "mouse") soon(event, id, PRESS_MS);
    },
    onPointerMove: (event) => {
      const far = Math.hypot(event.clientX - from.current.x, event.clientY - from.current.y);
      if (event.pointerType !== "mouse" && far > MOVED) stop();
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu: (event) => pressed.current && event.preventDefault(),
    onClickCapture: (event) => {
      if (!pressed.current) return;
      pressed.current = false;
      event.stopPropagation();
    },
  });
  return { shown, handlersOf };
}

/** The enlarged picture, on the side where the other is not; it takes no clicks. */
export function PeekPicture({ shown }: { shown: Peeked | null }) {
  if (!shown) return null;
  return (
    <div class={shown.isLeft ? "peek right" : "peek left"} aria-hidden="true">
      <Picture key={shown.id} id={shown.id} size="preview" alt="" />
    </div>
  );
}
