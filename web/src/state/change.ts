// Changes of clusters: made at once, or after the person was asked what to take back for it.
import { signal } from "@preact/signals";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Change, Cluster, Conflict } from "../api/types";
import { keepFocus } from "../parts/focus";
import { count } from "../parts/text";
import { publish } from "./news";
import { attempt, complain, type ToastAction } from "./toasts";
import { sayDone } from "./undo";
import { worded } from "./words";

export interface Proposal {
  title: string;
  verb: string;
  done: (change: Change) => string;
  /** What the message offers besides Undo. */
  offers?: (change: Change) => ToastAction[];
  run: (more: object) => Promise<Change>;
  /** Whether it can be tried first, to see what it contradicts; else it is refused with that. */
  isTried: boolean;
  /** What comes after it was made. */
  after?: (change: Change) => void;
  /** Clusters that become one: they are shown, and the name of the one is asked for. */
  clusters?: Cluster[];
}

export interface OpenProposal extends Proposal {
  breaks: Conflict[];
  end: (done: boolean) => void;
}

/** The change that the person is asked about. */
export const openProposal = signal<OpenProposal | null>(null);

export async function make(proposal: Proposal, more: object): Promise<void> {
  const change = await proposal.run(more);
  const { seq = 0 } = change;
  publish("changed", { seq });
  sayDone(proposal.done(change), [seq], proposal.offers?.(change));
  proposal.after?.(change);
  keepFocus();
}

function ask(proposal: Proposal, breaks: Conflict[]): Promise<boolean> {
  return new Promise((resolve) => {
    const open: OpenProposal = {
      ...proposal,
      breaks,
      end: (done) => {
        if (openProposal.peek() === open) openProposal.value = null;
        resolve(done);
      },
    };
    openProposal.value = open;
  });
}

/** Make a change, after asking where there is something to ask; whether it was made. */
export async function propose(proposal: Proposal): Promise<boolean> {
  try {
    const { breaks = [] } = proposal.isTried ? await proposal.run({ preview: true }) : {};
    if (breaks.length || proposal.clusters) return await ask(proposal, breaks);
    await make(proposal, {});
    return true;
  } catch (error) {
    if (error instanceof Refused && error.breaks.length) return ask(proposal, error.breaks);
    complain(error);
    return false;
  }
}

/** Merge clusters; `then` is given the number that they have together. */
export function mergeClusters(clusters: Cluster[], then?: (id: number) => void): Promise<boolean> {
  const ids = clusters.map((cluster) => cluster.id);
  return propose({
    title: `Merge ${count(clusters.length, "cluster")}?`,
    verb: "Merge",
    isTried: true,
    after: ({ cluster }) => cluster != null && then?.(cluster),
    clusters,
    run: (more) => api.merge(ids, more),
    done: () => `Merged ${count(clusters.length, "cluster")}`,
  });
}

/** Merge clusters of which only the numbers are known. */
export const mergeNumbers = (ids: number[], then?: (id: number) => void): Promise<boolean> =>
  attempt(async () => void mergeClusters(await Promise.all(ids.map((id) => api.cluster(id, "central", 0, 1))), then));

/** Name a cluster; an empty name takes the name away. Others that have the name are offered to be merged. */
export const nameCluster = (id: number, name: string): Promise<boolean> =>
  attempt(async () => {
    const { seq, same_name: others } = await api.name(id, name);
    publish("changed", { seq });
    if (!name || !others.length) return sayDone(name ? `Named ${name}` : "Name taken away", [seq]);
    const merge = { label: "Merge…", run: () => void mergeNumbers([id, ...others]) };
    const has = others.length === 1 ? worded`another group has` : `${count(others.length, "other group")} have`;
    sayDone(`Named ${name}; ${has} this name too`, [seq], [merge]);
  });

/** Where only one answer can be taken back, it is chosen already. */
export function onlyChoices(breaks: Conflict[]): Record<number, number> {
  const found: Record<number, number> = {};
  breaks.forEach(({ chain }, k) => {
    const [only, ...others] = new Set(chain.map(({ seq }) => seq).filter((seq) => seq > 0));
    if (only !== undefined && !others.length) found[k] = only;
  });
  return found;
}
