// One picture and the groups that it may belong to, each with some examples: one press says which.
import { useRef } from "preact/hooks";
import type { Item } from "../api/types";
import { worded } from "../state/words";
import { arrows } from "./arrow-keys";
import { letGo } from "./focus";
import { GroupMark } from "./group-mark";
import { keyName, useKeys } from "./keys";
import { PeekPicture, usePeek } from "./peek";
import { Picture } from "./picture";
import { asActions } from "./screen-keys";
import { titleOf } from "./text";

interface Props {
  items: Item[];
  labels: string[];
  single: boolean;
  blind: boolean;
  onZoom: () => void;
  onGroup: (item: Item) => void;
}

const ARROWS = { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" };

export function ScreenPick({ items, labels, single, blind, onZoom, onGroup }: Props) {
  const [asked, ...groups] = items;
  const list = useRef<HTMLUListElement>(null);
  const peek = usePeek();
  useKeys(asActions(labels), single, (at) => {
    const item = groups[Number(at)];
    if (item) onGroup(item);
  });
  useKeys(ARROWS, true, () => list.current?.querySelector<HTMLElement>(".tile")?.focus()); // from elsewhere
  if (!asked) return null;
  return (
    <div class="screen-area pick-area">
      <figure class="side blind">
        <button
          type="button"
          class="frame"
          onClick={(event) => {
            letGo(event);
            onZoom();
          }}
          aria-label={`Enlarge ${asked.name}`}
          title={asked.name}
        >
          <Picture id={asked.id} size="preview" alt={asked.name} />
        </button>
      </figure>
      <ul class={groups.length > 3 ? "groups two" : "groups"} ref={list} onKeyDown={arrows}>
        {groups.map((item, k) => (
          <li key={item.id}>
            <button
              type="button"
              class="tile group-tile"
              data-name={item.name}
              onClick={(event) => {
                letGo(event);
                onGroup(item);
              }}
              {...peek.handlersOf(item.id)}
            >
              <span class="group-title">
                {single && <kbd>{keyName(labels[k] ?? "")}</kbd>}
                {item.cluster && !blind && <GroupMark id={item.cluster.id} />}
                <bdi>{nameOf(item, blind, k)}</bdi>
              </span>
              <span class="examples">
                <Picture id={item.id} alt="" />
                {item.examples?.map((id) => (
                  <Picture key={id} id={id} alt="" />
                ))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <PeekPicture shown={peek.shown} />
    </div>
  );
}

const nameOf = (item: Item, blind: boolean, k: number): string =>
  item.cluster && !blind ? titleOf(item.cluster) : worded`Group ${k + 1}`;
