// The odd ones of the last grids: each can be taken back without the rest of its grid.
import { signal } from "@preact/signals";

export interface Tap {
  seq: number; // of the grid
  cluster: number;
  item: number;
}

const KEPT = 24;

export const lastTaps = signal<readonly Tap[]>([]);

/** Latest first. */
export function rememberTaps(taps: Tap[]): void {
  lastTaps.value = [...taps, ...lastTaps.value].slice(0, KEPT);
}

/** The grid of that number was taken back as a whole. */
export function forgetTaps(seq: number): void {
  lastTaps.value = lastTaps.value.filter((tap) => tap.seq !== seq);
}

export function forgetTap(gone: Tap): void {
  lastTaps.value = lastTaps.value.filter((tap) => tap !== gone);
}
