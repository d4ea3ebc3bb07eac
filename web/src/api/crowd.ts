// Routes of crowd work.
import { annotator, get, send, signed } from "./requests";

export interface Hit {
  number: number;
  items: number[];
}

export interface Work {
  name: string;
  kind: "keywords" | "grouping";
  hit: Hit | null;
  done: number;
  finished?: boolean;
  before?: Record<string, string[]>;
}

export const crowdRoutes = (name: string) => {
  const path = `crowd/${encodeURIComponent(name)}`;
  return {
    state: () => get<Work>(`${path}?annotator=${encodeURIComponent(annotator())}`),
    next: () => send<Work>(`${path}/next`, signed({})),
    hit: (form: object) => send<Work>(`${path}/hits`, signed(form)),
    back: () => send<Work>(`${path}/back`, signed({})),
  };
};

export type CrowdRoutes = ReturnType<typeof crowdRoutes>;
