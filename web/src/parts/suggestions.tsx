// Pictures that might belong to a group: yes or no to each, to all of them, or to none.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { accept, reject } from "../state/cluster-changes";
import { worded } from "../state/words";
import { isLost, keepFocus } from "./focus";
import { Icon } from "./icons";
import { Picture } from "./picture";
import { count } from "./text";

const SHOWN = 40;

/** What is said no to is not suggested for this group again. */
export function Suggestions({ cluster, ids }: { cluster: number; ids: number[] }) {
  const shown = ids.slice(0, SHOWN);
  const { list, remember } = usePlace(shown);
  const busy = useRef(false);
  const say = async (event: MouseEvent, items: number[], yes: boolean, at = 0) => {
    if (busy.current) return;
    busy.current = true;
    remember(event, at, yes);
    await (yes ? accept(cluster, items) : reject(cluster, items));
    busy.current = false;
  };
  return (
    <section class="suggested" aria-labelledby="suggested-title" ref={list}>
      <header>
        <h2 id="suggested-title">{count(ids.length, "picture")} might belong here</h2>
        <span class="row">
          <button type="button" class="small" onClick={(event) => void say(event, shown, true)}>
            All of these
          </button>
          <button type="button" class="small" onClick={(event) => void say(event, shown, false)}>
            None of these
          </button>
        </span>
      </header>
      <ul>
        {shown.map((id, at) => (
          <li key={id}>
            <Picture id={id} alt={worded`Picture ${id}`} />
            <span>
              <button
                type="button"
                class="yes"
                aria-label={worded`Yes, picture ${id} belongs here`}
                title="Yes, it belongs here"
                onClick={(event) => void say(event, [id], true, at)}
              >
                <Icon name="check" />
              </button>
              <button
                type="button"
                class="no"
                aria-label={worded`No, picture ${id} does not belong here`}
                title="No, it does not belong here"
                onClick={(event) => void say(event, [id], false, at)}
              >
                <Icon name="close" />
              </button>
            </span>
          </li>
        ))}
      </ul>
      {ids.length > shown.length && <p class="quiet">And {count(ids.length - shown.length, "other")} after these.</p>}
    </section>
  );
}

/** Who goes through them by keyboard goes on with the one that took the place of what was decided. */
function usePlace(shown: number[]) {
  const list = useRef<HTMLElement>(null);
  const place = useRef<{ at: number; yes: boolean } | null>(null);
  const remember = (event: MouseEvent, at: number, yes: boolean) => {
    place.current = event.detail === 0 ? { at, yes } : null; // a key press is a click of no button of the mouse
  };
  useLayoutEffect(() => {
    if (!place.current || !isLost()) return;
    const { at, yes } = place.current;
    const buttons = list.current?.querySelectorAll<HTMLElement>(yes ? ".yes" : ".no") ?? [];
    buttons[Math.min(at, buttons.length - 1)]?.focus();
  }, [shown.join()]);
  useEffect(() => () => (place.current ? keepFocus() : undefined), []);
  return { list, remember };
}
