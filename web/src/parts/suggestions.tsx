// Pictures that might belong to a group: yes or no to each, to all of them, or to none.
import { useRef } from "preact/hooks";
import { accept, reject } from "../state/cluster-changes";
import { Icon } from "./icons";
import { Picture } from "./picture";
import { count } from "./text";

const SHOWN = 40;

/** What is said no to is not suggested for this group again. */
export function Suggestions({ cluster, ids }: { cluster: number; ids: number[] }) {
  const list = useRef<HTMLElement>(null);
  const busy = useRef(false);
  const shown = ids.slice(0, SHOWN);
  const say = async (items: number[], yes: boolean, at = 0) => {
    if (busy.current) return;
    busy.current = true;
    const isDone = await (yes ? accept(cluster, items) : reject(cluster, items));
    busy.current = false;
    if (isDone) goOn(list, at, yes);
  };
  return (
    <section class="suggested" aria-labelledby="suggested-title" ref={list}>
      <header>
        <h2 id="suggested-title">{count(ids.length, "picture")} might belong here</h2>
        <span class="row">
          <button type="button" class="small" onClick={() => void say(shown, true)}>
            All of these
          </button>
          <button type="button" class="small" onClick={() => void say(shown, false)}>
            None of these
          </button>
        </span>
      </header>
      <ul>
        {shown.map((id, at) => (
          <li key={id}>
            <Picture id={id} alt={`Picture ${id}`} />
            <span>
              <button
                type="button"
                class="yes"
                aria-label={`Yes, picture ${id} belongs here`}
                title="Yes, it belongs here"
                onClick={() => void say([id], true, at)}
              >
                <Icon name="check" />
              </button>
              <button
                type="button"
                class="no"
                aria-label={`No, picture ${id} does not belong here`}
                title="No, it does not belong here"
                onClick={() => void say([id], false, at)}
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

/** Who goes through them by keyboard goes on with the one that took the place. */
function goOn(list: { current: HTMLElement | null }, at: number, yes: boolean): void {
  if (document.activeElement !== document.body && !list.current?.contains(document.activeElement)) return;
  setTimeout(() => {
    const buttons = list.current?.querySelectorAll<HTMLElement>(yes ? ".yes" : ".no") ?? [];
    buttons[Math.min(at, buttons.length - 1)]?.focus();
  }, 250);
}
