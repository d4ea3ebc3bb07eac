// One picture of a question, with the closest pictures of its cluster below it.
import type { Item } from "../api/types";
import { worded } from "../state/words";
import { letGo } from "./focus";
import { GroupMark } from "./group-mark";
import { flawsOf, inPhotographs, Photograph, useFace } from "./photograph";
import { Picture } from "./picture";
import { count } from "./text";

interface SideProps {
  item: Item;
  letter: string;
  blind?: boolean; // without its cluster
  onZoom: () => void;
  /** Leave it out. */
  onBad?: () => void;
}

export function QuestionSide({ item, letter, blind, onZoom, onBad }: SideProps) {
  const { cluster } = item;
  const face = useFace(blind ? -1 : item.id);
  return (
    <figure class={blind ? "side blind" : "side"}>
      <button
        type="button"
        class="frame"
        onClick={(event) => {
          letGo(event);
          onZoom();
        }}
        aria-label={`Enlarge ${letter && worded`picture ${letter}, `}${item.name}`}
        title={item.name}
      >
        {face && inPhotographs.value ? (
          <Photograph face={face} id={item.id} alt={item.name} />
        ) : (
          <Picture id={item.id} size="preview" alt={item.name} />
        )}
        {letter && <span class="letter">{letter}</span>}
      </button>
      {!blind && (
        <figcaption>
          {cluster ? <Group cluster={cluster} /> : <span class="quiet">Not grouped yet</span>}
          {cluster && cluster.closest.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
            <span class="strip" role="group" aria-label={worded`Closest pictures of its cluster`}>
              {cluster.closest.map((id) => (
                <Picture key={id} id={id} alt="" />
              ))}
            </span>
          )}
          {face && face.flaws.length > 0 && <span class="quiet flaws">{flawsOf(face)}</span>}
          {face && onBad && (
            <button type="button" class="small no-face" onClick={onBad}>
              Not a face
            </button>
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
