// The bar at the bottom of the window with what can be done; messages keep above it, however many rows it has.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export function ActionBar({ label, children }: { label: string; children: ComponentChildren }) {
  const bar = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty("--bar", `${element.offsetHeight + 16}px`);
    measure();
    const watched = new ResizeObserver(measure);
    watched.observe(element);
    return () => {
      watched.disconnect();
      style.removeProperty("--bar");
    };
  }, []);
  return (
    <fieldset class="selection" aria-label={label} ref={bar}>
      {children}
    </fieldset>
  );
}
