// A grid of pictures that may belong to one group: those that do not are tapped, or marked by their keys.
import type { Item } from "../api/types";
import { worded } from "../state/words";
import { GridTiles } from "./grid-tiles";
import { GroupMark } from "./group-mark";
import { useKeys } from "./keys";
import { Picture } from "./picture";
import { asActions } from "./screen-keys";
import { titleOf } from "./text";

interface Props {
  items: Item[];
  labels: string[];
  marked: ReadonlySet<number>;
  choosing: boolean;
  single: boolean; // whether single keys work
  blind: boolean;
  onTile: (item: Item) => void;
  onSend: () => void;
}

const SEND_KEY = { send: "Enter" };

export function ScreenGrid({ items, labels, marked, choosing, single, blind, onTile, onSend }: Props) {
  const [core, ...shown] = items;
  useKeys(asActions(labels), single, (at) => {
    const item = shown[Number(at)];
    if (item) onTile(item);
  });
  useKeys(SEND_KEY, !choosing, onSend);
  if (!core) return null;
  const ids = shown.map((item) => item.id);
  return (
    <div class="screen-area grid-area">
      <CoreFigure core={core} blind={blind} />
      <GridTiles
        items={ids}
        odd={marked}
        labels={single ? labels : undefined}
        describe={(k) => `${shown[k]?.name}: does not belong`}
        onToggle={(id) => {
          const item = shown.find((each) => each.id === id);
          if (item) onTile(item);
        }}
        onSend={onSend}
      />
    </div>
  );
}

/** The group that is asked about: its name, and pictures that are surely of it. */
function CoreFigure({ core, blind }: { core: Item; blind: boolean }) {
  const { cluster } = core;
  return (
    <figure class="core">
      <figcaption>
        {cluster && !blind ? (
          <a href={`#/clusters/${cluster.id}`} class="its-group">
            <GroupMark id={cluster.id} /> <bdi>{titleOf(cluster)}</bdi>
          </a>
        ) : (
          worded`The group`
        )}
      </figcaption>
      <Picture id={core.id} size="preview" alt={worded`${core.name}, an example of the group`} />
      {core.examples?.map((id) => (
        <Picture key={id} id={id} alt={worded`Picture ${id}, of the group too`} />
      ))}
    </figure>
  );
}
