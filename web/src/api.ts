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
  recheck?: boolean;
  kind?: Kind;
  keys?: Record<string, string>;
  single_keys?: boolean;
  overlap?: number;
  gold_rate?: number;
  lease_minutes?: number;
}

export interface Me {
  role: "manager" | "annotator";
  name: string;
  signed_in: boolean;
  open: boolean;
}

export type Interval = [low: number, middle: number, high: number];

export interface TeamMember {
  name: string;
  answers: number;
  unsure: number;
  seconds: number | null;
  gold: number;
  accuracy: Interval | null;
  agreement: number | null;
  reliability: Interval | null;
}

export interface Invite {
  id: string;
  name: string;
  state: "open" | "expired" | "revoked";
  expires_at: string;
  link: string;
}

export interface Team {
  people: TeamMember[];
  invites: Invite[];
  alpha: number | null;
  answers: number;
  questions: number;
  complete: number;
  adjudicated: number;
  disputes: number;
  holding: number;
  gold_pairs: number;
  overlap: number;
  gold_rate: number;
  lease_minutes: number;
}

export interface Dispute {
  id: string;
  kind: Kind;
  items: number[];
  said: { seq: number; annotator: string; items: number[]; value: Value }[];
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
  disputes?: number;
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

export interface BrowseRow {
  items: number[];
  cluster: number | null;
  name: string;
  size: number;
}

export interface Browse {
  working: boolean;
  rows: BrowseRow[];
  problem: string;
}

export interface Tags {
  tags: { name: string; count: number }[];
  tagged: number;
  can_learn: boolean;
  working: boolean;
  stale: boolean;
  problem: string;
  tree: { tags: { name: string; depth: number; parent_name: string | null }[]; alpha: number } | null;
  suggested: number;
}

export interface Suggestion {
  image: number;
  tag: string;
  probability: number;
}

export interface PictureTags {
  n: number;
  tags: { name: string; yes: number; no: number }[];
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

export async function get<T>(path: string): Promise<T> {
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
export async function send<T>(path: string, form: object, method = "POST"): Promise<T> {
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

// not crypto.randomUUID, which pages without TLS do not have
const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const signed = (form: object): object => ({ key: newKey(), annotator: annotator(), ...form });

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

/** A format that the project can be written in. */
export interface Format {
  name: string;
  title: string;
  about: string;
  suffix: string;
  is_folder: boolean;
  options: string[];
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
  browse: (by: string, examples: number, classes: number | null) =>
    get<Browse>(`browse?by=${by}&examples=${examples}${classes ? `&classes=${classes}` : ""}`),
  tags: () => get<Tags>("tags"),
  tag: (items: number[], name: string, value: "yes" | "no" | "open") =>
    send<{ seq: number }>("tags", signed({ items, name, value })),
  pictureTags: (items: number[]) =>
    get<PictureTags>(`tags/pictures?${items.slice(0, 500).map((id) => `items=${id}`).join("&")}`),
  learnTree: () => send<{ working: boolean }>("tags/learn", {}),
  tagSuggestions: (tag: string | null, limit: number) =>
    get<{ total: number; suggestions: Suggestion[] }>(`tags/suggestions?limit=${limit}${tag === null ? "" : `&tag=${encodeURIComponent(tag)}`}`),
  skipped: () => get<{ path: string; reason: string }[]>("skipped"),
  strategies: () => get<string[]>("strategies"),
  settings: (changes: Partial<Settings>) => send<Settings>("settings", changes, "PUT"),
  me: () => get<Me>("me"),
  join: (token: string) => send<{ role: string; name: string }>("join", { token }),
  leave: () => send<object>("leave", {}),
  team: () => get<Team>("team"),
  invite: (name: string, days: number) => send<Invite>("team/invite", { name, days }),
  revoke: (invite: string) => send<Invite>("team/revoke", { invite }),
  gold: (pairs: [number, number, string][]) => send<{ seq: number; pairs: number }>("team/gold", signed({ pairs })),
  disputes: () => get<{ total: number; disputes: Dispute[] }>("disputes"),
  adjudicate: (form: { kind: Kind; items: number[]; value: Value }) =>
    send<{ seq: number; left: number }>("adjudicate", signed(form)),
  formats: () => get<Format[]>("export/formats"),
  exportFolders: (target: string, mode: string) =>
    send<{ pictures: number; target: string }>("export/folders", { target, mode }),
};

export const picture = (id: number, size: "thumb" | "preview" | "full" = "thumb"): string =>
  `/api/images/${id}?size=${size}`;
