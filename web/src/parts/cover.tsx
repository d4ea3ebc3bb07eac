import { Picture, Tile } from "./picture";

/** The pictures that stand for a cluster: the most central large, three more beside it. */
export function Cover({ ids, shown = 4, light }: { ids: number[]; shown?: number; light?: boolean }) {
  const some = ids.slice(0, shown);
  return (
    <span class={`cover n${some.length}`}>
      {some.map((id) => (light ? <Tile key={id} id={id} /> : <Picture key={id} id={id} alt="" />))}
    </span>
  );
}
