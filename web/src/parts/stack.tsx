// A stack: copies and pictures of one moment, shown as one; opened, and taken apart by hand.
import { useState } from "preact/hooks";
import { takeApart } from "../state/cluster-changes";
import { toggled } from "../state/selection";
import { worded } from "../state/words";
import { Dialog } from "./dialog";
import { Icon } from "./icons";
import { Tile } from "./picture";
import { count } from "./text";

/** How many pictures a tile stands for. */
export function StackCount({ n, onOpen }: { n: number; onOpen?: () => void }) {
  const words = `A stack of ${count(n, "picture")}`;
  const inside = (
    <>
      <Icon name="stack" />
      {n.toLocaleString("en")}
    </>
  );
  if (!onOpen) return <span class="stack-count" title={words} children={inside} />;
  const open = (event: Event) => {
    event.stopPropagation();
    onOpen();
  };
  // The grid has the keys of all its tiles: Enter opens a stack too.
  return (
    <button
      type="button"
      class="stack-count"
      title={`${words}: open it`}
      tabIndex={-1}
      aria-hidden="true"
      onClick={open}
    >
      {inside}
    </button>
  );
}

interface Props {
  ids: readonly number[];
  onZoom: (id: number) => void;
  onClose: () => void;
}

export function StackDialog({ ids, onZoom, onClose }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const apart = async (items: readonly number[]) => {
    if (await takeApart([...items])) onClose();
  };
  const isSome = chosen.size > 0 && chosen.size < ids.length;
  return (
    <Dialog title={`A stack of ${count(ids.length, "picture")}`} wide onClose={onClose}>
      <p class="quiet">
        {worded`Copies of one picture, or pictures of one moment that look alike. Only one of them is asked about, and the others go where it goes. That is a guess: what is taken out is shown and asked about by itself.`}
      </p>
      <ul class="stack-pictures">
        {ids.map((id) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={chosen.has(id)}
              aria-label={worded`Picture ${id}`}
              onClick={() => setChosen((now) => toggled(now, id))}
              onDblClick={() => onZoom(id)}
            >
              <Tile id={id} />
              {chosen.has(id) && (
                <span class="tick">
                  <Icon name="check" />
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <div class="row">
        <button type="button" aria-disabled={!isSome} onClick={() => isSome && void apart([...chosen])}>
          Take out {chosen.size > 0 ? count(chosen.size, "picture") : "the chosen"}
        </button>
        <button type="button" class="primary" onClick={() => void apart(ids)}>
          Take all apart
        </button>
      </div>
    </Dialog>
  );
}
