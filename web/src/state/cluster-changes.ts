// What can be done about a cluster and pictures of it.
import { api } from "../api/routes";
import type { Change, Cluster } from "../api/types";
import { count, titleOf } from "../parts/text";
import { propose } from "./change";
import { publish } from "./news";
import { attempt } from "./toasts";
import { say } from "./undo";

/** Each is done after asking where there is something to ask; all say whether it was done. */
const change = (title: string, run: (more: object) => Promise<Change>, done: string): Promise<boolean> =>
  propose({ title, verb: title, run, done: () => done });

const pictures = (items: number[]): string => count(items.length, "picture");

export const splitOff = (id: number, items: number[]): Promise<boolean> =>
  change("Split off", (more) => api.split(id, items, more), `Split off ${pictures(items)}`);

export const moveTo = (to: Cluster, items: number[]): Promise<boolean> =>
  change("Move", (more) => api.move(items, to.id, more), `Moved ${pictures(items)} to ${titleOf(to)}`);

export const accept = (id: number, items: number[]): Promise<boolean> =>
  change("Accept", (more) => api.move(items, id, more), `Accepted ${pictures(items)}`);

export const confirm = (id: number): Promise<boolean> =>
  change("Confirm", (more) => api.confirm(id, more), "Confirmed: it no longer changes by itself");

export const unconfirm = (id: number): Promise<boolean> =>
  attempt(async () => {
    publish("changed", { seq: (await api.unconfirm(id)).seq ?? 0 });
    say("It may change again", true);
  });

export const leaveOut = (items: number[]): Promise<boolean> =>
  attempt(async () => {
    for (const item of items) publish("changed", { seq: (await api.bad(item)).seq });
    say(`Left out ${pictures(items)}`, items.length === 1);
  });
