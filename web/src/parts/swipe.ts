// Swiping: towards the left-hand answer or the right-hand one, with a sign of what it will be.
import { useRef, useState } from "preact/hooks";

const FAR_ENOUGH = 80;

interface Swipe {
  /** From -1 (all the way to the left) to 1. */
  lean: number;
  handlers: {
    onTouchStart: (event: TouchEvent) => void;
    onTouchMove: (event: TouchEvent) => void;
    onTouchEnd: (event: TouchEvent) => void;
    onTouchCancel: () => void;
  };
}

export function useSwipe(on: boolean, swiped: (side: "left" | "right") => void): Swipe {
  const from = useRef<{ x: number; y: number } | null>(null);
  const [lean, setLean] = useState(0);
  const stop = () => {
    from.current = null;
    setLean(0);
  };
  const distance = (touch: Touch | undefined): number => {
    if (!from.current || !touch) return 0;
    const dx = touch.clientX - from.current.x;
    const dy = touch.clientY - from.current.y;
    return Math.abs(dx) > 2 * Math.abs(dy) ? dx : 0;
  };
  return {
    lean,
    handlers: {
      onTouchStart: (event) => {
        const touch = event.touches[0];
        from.current = on && touch && event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
      },
      onTouchMove: (event) => {
        if (event.touches.length > 1) return stop();
        const dx = distance(event.touches[0]);
        setLean(Math.abs(dx) < 16 ? 0 : Math.max(-1, Math.min(1, dx / FAR_ENOUGH)));
      },
      onTouchEnd: (event) => {
        const dx = distance(event.changedTouches[0]);
        stop();
        if (Math.abs(dx) >= FAR_ENOUGH) swiped(dx < 0 ? "left" : "right");
      },
      onTouchCancel: stop,
    },
  };
}
