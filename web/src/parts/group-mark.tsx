// A group is known by its number and the colour that goes with it, on every screen.
import type { JSX } from "preact";
import { worded } from "../state/words";

/** The golden angle keeps the colours of numbers that follow each other distinct. */
export const hueOf = (id: number): number => Math.round((215 + id * 137.508) % 360);

/** The same colour where it is drawn, on a canvas. */
export const colourOf = (id: number, dark: boolean): string => `hsl(${hueOf(id)} 68% ${dark ? 66 : 44}%)`;

export const hueStyle = (id: number): JSX.CSSProperties => ({ "--hue": String(hueOf(id)) }) as JSX.CSSProperties;

/** The dot and the number of a group. */
export function GroupMark({ id }: { id: number }) {
  return (
    <span
      class="group-mark"
      data-group={id}
      style={hueStyle(id)}
      title={worded`Number ${id}; it stays with this group`}
    >
      <span class="dot" />
      <span class="hidden">Number </span>#{id}
    </span>
  );
}
