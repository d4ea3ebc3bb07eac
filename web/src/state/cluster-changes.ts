// What can be done about a cluster and pictures of it.
import { api } from "../api/routes";
import type { Change, Cluster } from "../api/types";
import { keepFocus } from "../parts/focus";
import { count, titleOf } from "../parts/text";
import { type Proposal, propose } from "./change";
import { publish } from "./news";
import { attempt } from "./toasts";
import { sayDone } from "./undo";
import { worded } from "./words";

type Run = (more: object) => Promise<Change>;

/** Each is done after asking where there is something to ask; all say whether it was done. */
const change = (title: string, run: Run, done: string, more: Partial<Proposal> = {}): Promise<boolean> =>
  propose({ title, verb: title, isTried: true, run, done: () => done, ...more });

const pictures = (items: number[]): string => count(items.length, "picture");

/** They leave the group; nothing is said among them. */
export const splitOff = (id: number, items: number[]): Promise<boolean> =>
  change("Split off", (more) => api.split(id, items, more), `Split off ${pictures(items)}`);

/** They leave the group and are one of their own. */
export const makeGroup = (id: number, items: number[]): Promise<boolean> =>
  change(
    worded`Make a group`,
    (more) => api.split(id, items, { as_group: true, ...more }),
    worded`Made a group of ${pictures(items)}`,
    { offers: ({ cluster }) => (cluster == null ? [] : [{ label: "Open", run: () => openCluster(cluster) }]) },
  );

export const openCluster = (cluster: number): void => {
  location.hash = `#/clusters/${cluster}`;
};

export const moveTo = (to: Cluster, items: number[]): Promise<boolean> =>
  change("Move", (more) => api.move(items, to.id, more), `Moved ${pictures(items)} to ${titleOf(to)}`);

export const accept = (id: number, items: number[]): Promise<boolean> =>
  change("Accept", (more) => api.move(items, id, more), `Accepted ${pictures(items)}`);

/** Say no to what is suggested. */
export const reject = (id: number, items: number[]): Promise<boolean> =>
  change("Say no", (more) => api.reject(id, items, more), `Said no to ${pictures(items)}`);

/** Take back what was said of pictures and a group, and nothing else. */
export const leaveOpen = (id: number, items: number[]): Promise<boolean> =>
  change("Take back", (more) => api.open(id, items, more), `${pictures(items)} open again`);

export const confirm = (id: number): Promise<boolean> =>
  change("Confirm", (more) => api.confirm(id, more), "Confirmed: it no longer changes by itself");

export const unconfirm = (id: number): Promise<boolean> =>
  attempt(async () => {
    const { seq = 0 } = await api.unconfirm(id);
    publish("changed", { seq });
    sayDone("It may change again", [seq]);
  });

/** They are in no stack from now on: each is shown and asked about by itself. */
export const takeApart = (items: number[]): Promise<boolean> =>
  attempt(async () => {
    const { seq = 0 } = await api.apart(items);
    publish("changed", { seq });
    sayDone(`Took ${pictures(items)} out of the stack`, [seq]);
  });

export const leaveOut = (items: number[]): Promise<boolean> =>
  attempt(async () => {
    const steps: number[] = [];
    for (const item of items) steps.push((await api.bad(item)).seq);
    publish("changed", { seq: Math.max(...steps) });
    sayDone(`Left out ${pictures(items)}`, steps);
    keepFocus();
  });
