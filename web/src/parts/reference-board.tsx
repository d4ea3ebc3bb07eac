import { picture } from "../api/routes";
import type { StudyState } from "../api/types";

export function ReferenceBoard({ board }: { board: StudyState["board"] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keyboard too
    <ul class="board reference" aria-label="One example of each class" tabIndex={0}>
      {board.map(({ id, label }) => (
        <li key={id}>
          <img src={picture(id)} alt={`Example of ${label}`} draggable={false} />
          <bdi>{label}</bdi>
        </li>
      ))}
    </ul>
  );
}
