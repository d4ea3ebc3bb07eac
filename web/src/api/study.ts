// Routes of a study.
import { annotator, get, send, signed } from "./requests";

export interface StudyQuestion {
  number: number;
  kind: "pair" | "triplet";
  items: number[];
  practice: boolean;
}

export interface StudyState {
  study: string;
  state: "new" | "asking" | "survey" | "done";
  introduction: string;
  pairs: number;
  triplets: number;
  practice: number;
  unsure: boolean;
  board: { id: number; label: string }[];
  survey: string[];
  answered: number;
  total: number;
  question: StudyQuestion | null;
  ahead: number[];
}

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
