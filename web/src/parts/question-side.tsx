// One picture of a question, with the closest pictures of its cluster below it.
import type { Item } from "../api/types";
import { letGo } from "./focus";
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
          {cluster ? (
            <a href={`#/clusters/${cluster.id}`} title={cluster.name || undefined}>
              <bdi>
                {cluster.name || (cluster.size === 1 ? "On its own" : `With ${count(cluster.size - 1, "other")}`)}
              </bdi>
            </a>
          ) : (
            <span class="quiet">not grouped yet</span>
          )}
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
          <span class="strip" role="group" aria-label="Closest pictures of its cluster">
            {cluster?.closest.map((id) => (
              <Picture key={id} id={id} alt="" />
            ))}
          </span>
        </figcaption>
      )}
    </figure>
  );
}
