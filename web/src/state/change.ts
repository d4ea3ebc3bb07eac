// Changes of clusters: made at once, or after the person was asked what to take back for it.
import { signal } from "@preact/signals";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import type { Change, Cluster, Conflict } from "../api/types";
import { count } from "../parts/text";
import { publish } from "./news";
import { attempt, complain } from "./toasts";
import { say } from "./undo";

export interface Proposal {
  title: string;
  verb: string;
  done: (change: Change) => string;
  run: (more: object) => Promise<Change>;
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
  publish("changed", { seq: change.seq ?? 0 });
  say(proposal.done(change), true);
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
    const { breaks = [] } = await proposal.run({ preview: true });
    if (breaks.length || proposal.clusters) return await ask(proposal, breaks);
    await make(proposal, {});
    return true;
  } catch (error) {
    if (error instanceof Refused && error.breaks.length) return ask(proposal, error.breaks);
    complain(error);
    return false;
  }
}

export function mergeClusters(clusters: Cluster[]): Promise<boolean> {
  const ids = clusters.map((cluster) => cluster.id);
  return propose({
    title: `Merge ${count(clusters.length, "cluster")}?`,
    verb: "Merge",
    clusters,
    run: (more) => api.merge(ids, more),
    done: () => `Merged ${count(clusters.length, "cluster")}`,
  });
}

/** Name a cluster; an empty name takes the name away. Whether it was done. */
export const nameCluster = (id: number, name: string): Promise<boolean> =>
  attempt(async () => {
    await api.name(id, name);
    say(name ? `Named ${name}` : "Name taken away", true);
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
