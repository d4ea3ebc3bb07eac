// Sending again: the one way in which the manager's page and the annotators' pages keep what could not be sent.
import { reportConnection } from "./connection";
import { Refused } from "./refused";

const ATTEMPTS = 40; // about two and a half minutes: long enough to start the server again
const LONGEST_WAIT_MS = 4000;

export const waitBefore = (attempt: number): number => Math.min(125 * 2 ** attempt, LONGEST_WAIT_MS);

/** Whether a failed request is given up: what the server refused stays refused, unless it could not store just then. */
export function isFinal(error: unknown, attempt: number, isKeyed: boolean): boolean {
  if (error instanceof Refused) return error.status !== 503 || attempt >= ATTEMPTS;
  return !isKeyed && attempt >= ATTEMPTS;
}

/**
 * Send until the server says what became of it. A keyed write is the same write every time, so nothing is lost or
 * doubled: it is kept and sent again for as long as the page is open.
 */
export async function sendUntilAnswered<T>(request: () => Promise<T>, isKeyed: boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await request();
      if (attempt > 1) reportConnection(true);
      return done;
    } catch (error) {
      if (isFinal(error, attempt, isKeyed)) throw error;
      reportConnection(false);
      await new Promise((wake) => setTimeout(wake, waitBefore(attempt)));
    }
  }
}
