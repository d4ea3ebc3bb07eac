// Arrow keys on tiles that wrap.

/** Arrow keys go from tile to tile as they lie on the screen. */
export function arrows(event: KeyboardEvent): void {
  const tiles = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".tile")];
  const at = tiles.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const top = tiles[0]?.offsetTop ?? 0;
  const columns = Math.max(
    1,
    tiles.findIndex((tile) => tile.offsetTop > top),
  );
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const target = tiles[at + (steps[event.key] ?? Number.NaN)];
  if (!target) return;
  event.preventDefault();
  target.focus();
}
