import { Picture, Tile } from "./picture";
import { StackCount } from "./stack";

interface Props {
  ids: number[];
  /** How many pictures each stands for. */
  stacks?: number[];
  shown?: number;
  light?: boolean;
}

/** The pictures that stand for a cluster: the most central large, three more beside it. */
export function Cover({ ids, stacks = [], shown = 4, light }: Props) {
  const some = ids.slice(0, shown);
  return (
    <span class={`cover n${some.length}`}>
      {some.map((id, k) => {
        const picture = light ? <Tile key={id} id={id} /> : <Picture key={id} id={id} alt="" />;
        const n = stacks[k] ?? 1;
        if (n < 2) return picture;
        return (
          <span key={id} class="of-stack">
            {picture}
            <StackCount n={n} />
          </span>
        );
      })}
    </span>
  );
}
