// The error of a request that the server refused.
import type { Conflict } from "./types";

/** The server understood and said no; `breaks` are the answers that contradict a change. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly breaks: Conflict[] = [],
  ) {
    super(message);
  }
}
