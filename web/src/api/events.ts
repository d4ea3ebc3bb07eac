// The stream of server-sent events.
import { reportConnection } from "./connection";
import type { Indexing } from "./types";

export interface ServerEvents {
  indexing: Indexing;
  clusters: { version: number; total: number; moved: number; joined: number };
  question: { finished: boolean };
  problem: { text: string };
}

const NAMES = ["indexing", "clusters", "question", "problem"] as const;

/** Open the stream; the browser opens it again when the connection was lost. Gives a function that closes it. */
export function openEvents(handle: <K extends keyof ServerEvents>(name: K, data: ServerEvents[K]) => void): () => void {
  const stream = new EventSource("/api/stream");
  for (const name of NAMES) {
    stream.addEventListener(name, (event) => handle(name, JSON.parse((event as MessageEvent<string>).data)));
  }
  stream.onopen = () => reportConnection(true);
  stream.onerror = () => reportConnection(false);
  return () => stream.close();
}
