// Where one is: the address after #.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { TABS } from "../parts/tabs";

const here = (): string[] => location.hash.replace(/^#\/?/, "").split("/");

const address = signal(here());

/** The parts of the address; the title of the window and the focus follow when a screen is left for another,
 * unless somebody is in a field of the new one already. */
export function useAddress(): string[] {
  useEffect(() => {
    const moved = () => {
      address.value = here();
      if (!here().join("/").startsWith("clusters") || here().length > 1) scrollTo(0, 0);
      const left = document.activeElement;
      requestAnimationFrame(() => {
        const now = document.activeElement;
        if (now === left || now === document.body) document.getElementById("main")?.focus({ preventScroll: true });
      });
    };
    addEventListener("hashchange", moved);
    if (here().join("/") !== address.peek().join("/")) moved(); // gone on before anybody listened
    return () => removeEventListener("hashchange", moved);
  }, []);
  const now = address.value;
  useEffect(() => {
    const tab = TABS.find(([path]) => path === (now[0] ?? ""));
    document.title = `${tab?.[1] ?? (now[0] === "browse" ? "Browse" : "Questions")} – likewise`;
  }, [now]);
  return now;
}
