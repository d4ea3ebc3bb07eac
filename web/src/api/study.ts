// Routes of a study.
import { annotator, get, send, signed } from "./requests";
import type { StudyState } from "./types";

export const studyRoutes = (name: string) => {
  const path = `study/${encodeURIComponent(name)}`;
  return {
    state: () => get<StudyState>(`${path}?annotator=${encodeURIComponent(annotator())}`),
    begin: () => send<StudyState>(`${path}/begin`, signed({})),
    answer: (form: object) => send<StudyState>(`${path}/answers`, signed(form)),
    back: () => send<StudyState>(`${path}/back`, signed({})),
    survey: (form: object) => send<StudyState>(`${path}/survey`, signed(form)),
  };
};

export type StudyRoutes = ReturnType<typeof studyRoutes>;
