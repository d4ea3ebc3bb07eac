// Where the focus goes when the thing that had it is gone, or was only clicked.
import { useEffect } from "preact/hooks";

const PRESSED = "button, a, summary, input[type=checkbox], input[type=radio]";

/** After a click (not a key press) the focus goes, so that Space is "not sure" and never the last button again. */
export function letGo(event: MouseEvent): void {
  if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
}

/** The same for everything on the page that is pressed with the mouse, but in dialogs. */
export function useLetGo(): void {
  useEffect(() => {
    const clicked = (event: MouseEvent) => {
      const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSED) : null;
      if (event.detail > 0 && pressed && !pressed.closest("dialog")) pressed.blur();
    };
    addEventListener("click", clicked);
    return () => removeEventListener("click", clicked);
  }, []);
}

/** Whether nothing has the focus. */
export const isLost = (): boolean => !document.activeElement || document.activeElement === document.body;

/** Once the page is drawn again: where the focus was lost with what had it, put it on the grid, or on the page. */
export function keepFocus(wanted = ".virtual [data-focus][tabindex='0']"): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (!isLost() || document.querySelector("dialog[open]")) return;
      const place = document.querySelector<HTMLElement>(wanted) ?? document.getElementById("main");
      place?.focus({ preventScroll: true });
    }),
  );
}
