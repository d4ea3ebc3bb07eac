// Shapes of what the server sends and takes.

export type Value = "same" | "different" | "unsure" | "ab" | "ac" | "bc" | "none";

interface ClusterBrief {
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

export type Next = Question | { waiting: { ready: number; total: number } } | { finished: { reason: string } };

export interface Statement {
  seq: number;
  items: [number, number];
  value: "same" | "different";
  annotator: string;
  kind?: string;
}

export interface Conflict {
  statement: Statement;
  chain: Statement[];
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
