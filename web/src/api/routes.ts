// One function for each route of the server.
import { annotator, get, send, signed } from "./requests";
import type {
  Answered,
  AnswerForm,
  Asker,
  Browse,
  Change,
  Choices,
  ClusterPage,
  Conflict,
  Disputes,
  Face,
  Facts,
  Filter,
  Focus,
  FoldersResult,
  Format,
  Found,
  GoldPair,
  GoldResult,
  Grid,
  Invite,
  Kind,
  KnownName,
  Learning,
  MapData,
  Me,
  Named,
  Next,
  NotCounted,
  Person,
  PictureTags,
  Progress,
  Project,
  Settings,
  Skipped,
  Steps,
  Stored,
  StoredWithRest,
  Suggestions,
  Tags,
  TagValue,
  Team,
  Value,
  Wall,
} from "./types";

export const api = {
  project: () => get<Project>("project"),
  progress: () => get<Progress>(`progress?annotator=${encodeURIComponent(annotator())}`),
  question: () => get<Next>(`question?annotator=${encodeURIComponent(annotator())}`),
  answer: (form: AnswerForm) => send<Answered>("answers", signed(form)),
  bad: (item: number) => send<Answered>("bad", signed({ item })),
  restore: (item: number) => send<Answered>("restore", signed({ item })),
  leftOut: () => get<number[]>("bad"),
  undo: () => send<Answered>("undo", signed({})),
  redo: () => send<Answered>("redo", signed({})),
  clusters: (sort: string, offset: number, limit: number, wanted = "") =>
    get<Wall>(`clusters?sort=${sort}&offset=${offset}&limit=${limit}${wanted}`),
  pictures: (query: string, offset: number, limit: number) =>
    get<Found>(`pictures?offset=${offset}&limit=${limit}${query}`),
  likeFile: (picture: string, wanted: Filter, limit: number) =>
    send<Found>("pictures/like", { picture, wanted, limit }),
  facts: (id: number) => get<Facts>(`pictures/${id}`),
  reveal: (id: number) => send<{ path: string }>(`pictures/${id}/reveal`, {}),
  choices: () => get<Choices>("pictures/choices"),
  words: () => get<{ words: boolean }>("pictures/words"),
  focus: () => get<Focus>("focus"),
  setFocus: (wanted: Filter) => send<Focus>("focus", { wanted }, "PUT"),
  cluster: (id: number, sort: string, offset: number, limit: number) =>
    get<ClusterPage>(`clusters/${id}?sort=${sort}&offset=${offset}&limit=${limit}`),
  grid: (cluster: number) => get<Grid>(`grid?cluster=${cluster}`),
  sendGrid: (form: { cluster: number; items: number[]; odd: number[]; seconds: number }, more: object = {}) =>
    send<Stored>("grid", signed({ ...form, ...more })),
  name: (cluster: number, name: string) => send<Named>("clusters/name", signed({ cluster, name })),
  names: () => get<KnownName[]>("names"),
  merge: (clusters: number[], more: object = {}) => send<Change>("clusters/merge", signed({ clusters, ...more })),
  split: (cluster: number, items: number[], more: object = {}) =>
    send<Change>("clusters/split", signed({ cluster, items, ...more })),
  move: (items: number[], to: number, more: object = {}) =>
    send<Change>("clusters/move", signed({ items, to, ...more })),
  confirm: (cluster: number, more: object = {}) => send<Change>("clusters/confirm", signed({ cluster, ...more })),
  unconfirm: (cluster: number) => send<Change>("clusters/unconfirm", signed({ cluster })),
  apart: (items: number[]) => send<Change>("stacks/apart", signed({ items })),
  reject: (cluster: number, items: number[], more: object = {}) =>
    send<Change>("clusters/reject", signed({ cluster, items, ...more })),
  open: (cluster: number, items: number[], more: object = {}) =>
    send<Change>("clusters/open", signed({ cluster, items, ...more })),
  steps: (limit: number, before?: number) =>
    get<Steps>(`steps?limit=${limit}${before ? `&before=${before}` : ""}&annotator=${encodeURIComponent(annotator())}`),
  takeBack: (seq: number) => send<Stored>("steps/take-back", signed({ seq })),
  doAgain: (seq: number) => send<Stored>("steps/again", signed({ seq })),
  conflicts: () => get<Conflict[]>("conflicts"),
  resolve: (withdraw: number[], pair: readonly number[]) =>
    send<StoredWithRest>("conflicts/resolve", signed({ withdraw, pair })),
  map: (unless?: number) => get<MapData>(unless === undefined ? "map" : `map?unless=${unless}`),
  browse: (by: string, examples: number, classes: number | null) =>
    get<Browse>(`browse?by=${by}&examples=${examples}${classes ? `&classes=${classes}` : ""}`),
  tags: () => get<Tags>("tags"),
  tag: (items: number[], name: string, value: TagValue) => send<Stored>("tags", signed({ items, name, value })),
  pictureTags: (items: number[]) =>
    get<PictureTags>(
      `tags/pictures?${items
        .slice(0, 500)
        .map((id) => `items=${id}`)
        .join("&")}`,
    ),
  learnTree: () => send<Learning>("tags/learn", {}),
  tagSuggestions: (tag: string | null, limit: number) =>
    get<Suggestions>(`tags/suggestions?limit=${limit}${tag === null ? "" : `&tag=${encodeURIComponent(tag)}`}`),
  face: (id: number) => get<Face>(`images/${id}/face`),
  doubtfulFaces: () => get<number[]>("faces/doubtful"),
  skipped: () => get<Skipped[]>("skipped"),
  clusterers: () => get<string[]>("clusterers"),
  askers: () => get<Asker[]>("askers"),
  settings: (changes: Partial<Settings>) => send<Settings>("settings", changes, "PUT"),
  me: () => get<Me>("me"),
  join: (token: string) => send<Person>("join", { token }),
  leave: () => send<object>("leave", {}),
  team: () => get<Team>("team"),
  notCounted: () => get<NotCounted[]>("team/not-counted"),
  invite: (name: string, days: number) => send<Invite>("team/invite", { name, days }),
  revoke: (invite: string) => send<Invite>("team/revoke", { invite }),
  gold: (pairs: GoldPair[]) => send<GoldResult>("team/gold", signed({ pairs })),
  disputes: () => get<Disputes>("disputes"),
  adjudicate: (form: { kind: Kind; items: number[]; value: Value }) => send<StoredWithRest>("adjudicate", signed(form)),
  formats: () => get<Format[]>("export/formats"),
  exportFolders: (target: string, mode: string) => send<FoldersResult>("export/folders", { target, mode }),
};

export const picture = (id: number, size: "thumb" | "preview" | "full" | "photograph" = "thumb"): string =>
  `/api/images/${id}?size=${size}`;
