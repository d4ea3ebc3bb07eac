/** After a click (not a key press) the focus goes, so that Space is "not sure" and never the last button again. */
export function letGo(event: MouseEvent): void {
  if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
}
