// One picture of a question, with the closest pictures of its cluster below it.
import type { Item } from "../api/types";
import { letGo } from "./focus";
import { GroupMark } from "./group-mark";
import { Picture } from "./picture";
import { count } from "./text";

interface SideProps {
  item: Item;
  letter: string;
  blind?: boolean; // without its cluster
  onZoom: () => void;
}

export function QuestionSide({ item, letter, blind, onZoom }: SideProps) {
  const { cluster } = item;
  return (
    <figure class={blind ? "side blind" : "side"}>
      <button
        type="button"
        class="frame"
        onClick={(event) => {
          letGo(event);
          onZoom();
        }}
        aria-label={`Enlarge ${letter && `picture ${letter}, `}${item.name}`}
        title={item.name}
      >
        <Picture id={item.id} size="preview" alt={item.name} />
        {letter && <span class="letter">{letter}</span>}
      </button>
      {!blind && (
        <figcaption>
          {cluster ? <Group cluster={cluster} /> : <span class="quiet">Not grouped yet</span>}
          {cluster && cluster.closest.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
            <span class="strip" role="group" aria-label="Closest pictures of its cluster">
              {cluster.closest.map((id) => (
                <Picture key={id} id={id} alt="" />
              ))}
            </span>
          )}
        </figcaption>
      )}
    </figure>
  );
}

/** The group of a picture: its number and colour, its name, how many pictures it has. */
function Group({ cluster: { id, name, size } }: { cluster: NonNullable<Item["cluster"]> }) {
  return (
    <a class="its-group" href={`#/clusters/${id}`} title={name || undefined}>
      <GroupMark id={id} />
      {name && <bdi>{name}</bdi>}
      <span class="quiet">{size === 1 ? "On its own" : count(size, "picture")}</span>
    </a>
  );
}
