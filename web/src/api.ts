// What the server says and takes; one function a route.

export type Value = "same" | "different" | "unsure" | "ab" | "ac" | "bc" | "none";

export interface ClusterBrief {
  id: number;
  name: string;
  size: number;
  closest: number[];
}

export interface Item {
  id: number;
  name: string;
  width: number | null;
  height: number | null;
  cluster: ClusterBrief | null;
}

export interface Question {
  id: string;
  kind: "pair" | "triplet";
  items: Item[];
  reason: string;
  number: number;
  check?: boolean;
  ahead?: number[];
}

export type Next =
  | Question
  | { waiting: { ready: number; total: number } }
  | { finished: { reason: string } };

export interface Told {
  seq: number;
  items: [number, number];
  value: "same" | "different";
  annotator: string;
  kind?: string;
}

export interface Conflict {
  statement: Told;
  chain: Told[];
}

export interface Cluster {
  id: number;
  name: string;
  size: number;
  confirmed: boolean;
  doubt: number;
  cover: number[];
  n_suggested: number;
}

export interface Member {
  id: number;
  doubt: number;
  settled: boolean;
}

export interface ClusterPage extends Cluster {
  version?: number;
  members: Member[];
  suggested: number[];
}

export interface Wall {
  version: number;
  total: number;
  n_images: number;
  clusters: Cluster[];
}

export interface Indexing {
  state: string;
  done: number;
  total: number;
  rate: number;
}

export interface Project {
  name: string;
  folder: string;
  n_images: number;
  n_ready: number;
  answers: number;
  clusters_version: number;
  indexing: Indexing;
  settings: Settings;
  problem: string;
}

export type Kind = "pair" | "triplet";

export interface Settings {
  strategy: string;
  n_clusters: number | null;
  check_rate?: number;
  kind?: Kind;
  keys?: Record<string, string>;
  single_keys?: boolean;
}

export interface Progress {
  answers: number;
  by_annotator: Record<string, number>;
  settled: number;
  clusters: number;
  estimate: [number, number, number] | null;
  n_checks: number;
  seconds_per_answer: number | null;
  agreeing: number;
  conflicts: number;
  curve: { answers: number; settled: number }[];
  stop: { hint: boolean; reason: string };
}

export interface MapData {
  images: number[];
  x: number[];
  y: number[];
  cluster: number[];
  edges: [number, number, string][];
}

export interface Change {
  seq?: number;
  moves: number;
  breaks?: Conflict[];
}

export interface Grid {
  cluster: number;
  name: string;
  size: number;
  items: number[];
}

/** The server understood and said no; `breaks` are the answers that stand against a change. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly breaks: Conflict[] = [],
  ) {
    super(message);
  }
}

export const annotator = (): string => localStorage.getItem("annotator") || "me";

async function read<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const body = await response.json().catch(() => ({ detail: response.statusText }));
  throw new Refused(response.status, String(body.detail), body.breaks ?? []);
}

async function get<T>(path: string): Promise<T> {
  return read<T>(await fetch(`/api/${path}`));
}

const ATTEMPTS = 40; // about two and a half minutes: long enough to start the server again
const trouble = new Set<(waiting: boolean) => void>();

/** Be told when a write has to be sent again, and when it went through. */
export function onTrouble(heard: (waiting: boolean) => void): () => void {
  trouble.add(heard);
  return () => trouble.delete(heard);
}

// A write is sent again with the same key until the server says what became of it: nothing is lost or doubled.
async function send<T>(path: string, form: object, method = "POST"): Promise<T> {
  const request = { method, body: JSON.stringify(form), headers: { "Content-Type": "application/json" } };
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await read<T>(await fetch(`/api/${path}`, request));
      if (attempt > 1) for (const heard of trouble) heard(false);
      return done;
    } catch (error) {
      const final = error instanceof Refused && error.status !== 503;
      if (final || attempt === ATTEMPTS) throw error;
      for (const heard of trouble) heard(true);
      await new Promise((wake) => setTimeout(wake, Math.min(125 * 2 ** attempt, 4000)));
    }
  }
}

const signed = (form: object): object => ({ key: crypto.randomUUID(), annotator: annotator(), ...form });

export interface AnswerForm {
  kind: string;
  items: number[];
  value: Value;
  seconds: number;
  shown: object;
}

export interface Answered {
  seq: number;
  next: Next;
  conflict?: Conflict | null;
  undone?: { seq: number; kind: string };
}

export const api = {
  project: () => get<Project>("project"),
  progress: () => get<Progress>("progress"),
  question: (kind: Kind) => get<Next>(`question?annotator=${encodeURIComponent(annotator())}&kind=${kind}`),
  answer: (form: AnswerForm) => send<Answered>("answers", signed(form)),
  bad: (item: number) => send<Answered>("bad", signed({ item })),
  restore: (item: number) => send<Answered>("restore", signed({ item })),
  leftOut: () => get<number[]>("bad"),
  undo: () => send<Answered>("undo", signed({})),
  redo: () => send<Answered>("redo", signed({})),
  clusters: (sort: string, offset: number, limit: number) =>
    get<Wall>(`clusters?sort=${sort}&offset=${offset}&limit=${limit}`),
  cluster: (id: number, sort: string, offset: number, limit: number) =>
    get<ClusterPage>(`clusters/${id}?sort=${sort}&offset=${offset}&limit=${limit}`),
  grid: (cluster: number) => get<Grid>(`grid?cluster=${cluster}`),
  sendGrid: (form: { items: number[]; odd: number[]; seconds: number }) => send<Answered>("grid", signed(form)),
  name: (cluster: number, name: string) => send<Change>("clusters/name", signed({ cluster, name })),
  merge: (clusters: number[], more: object = {}) => send<Change>("clusters/merge", signed({ clusters, ...more })),
  split: (cluster: number, items: number[], more: object = {}) =>
    send<Change>("clusters/split", signed({ cluster, items, ...more })),
  move: (items: number[], to: number, more: object = {}) =>
    send<Change>("clusters/move", signed({ items, to, ...more })),
  confirm: (cluster: number, more: object = {}) => send<Change>("clusters/confirm", signed({ cluster, ...more })),
  unconfirm: (cluster: number) => send<Change>("clusters/unconfirm", signed({ cluster })),
  conflicts: () => get<Conflict[]>("conflicts"),
  resolve: (withdraw: number[]) => send<{ seq: number; left: number }>("conflicts/resolve", signed({ withdraw })),
  map: () => get<MapData>("map"),
  skipped: () => get<{ path: string; reason: string }[]>("skipped"),
  strategies: () => get<string[]>("strategies"),
  settings: (changes: Partial<Settings>) => send<Settings>("settings", changes, "PUT"),
  exportFolders: (target: string, mode: string) =>
    send<{ pictures: number; target: string }>("export/folders", { target, mode }),
};

export const picture = (id: number, size: "thumb" | "preview" | "full" = "thumb"): string =>
  `/api/images/${id}?size=${size}`;
