// Routes of crowd work.
import { annotator, get, send, signed } from "./requests";
import type { Work } from "./types";

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
