// Numbers and names as they are written on the page.
import { worded } from "../state/words";

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en")} ${worded(n === 1 ? one : many)}`;

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** What a cluster is called where it has no name: its size tells it from others best. */
export const titleOf = (cluster: { name: string; size: number }): string =>
  cluster.name || `Unnamed, ${count(cluster.size, "picture")}`;

/** How many pictures of a cluster nobody has said anything about. */
export const openIn = (cluster: { size: number; n_settled: number; confirmed: boolean }): number =>
  cluster.confirmed ? 0 : Math.max(0, cluster.size - cluster.n_settled);

/** A time as people say it. */
export const minutes = (seconds: number): string =>
  seconds < 90 ? count(Math.max(1, Math.round(seconds)), "second") : count(Math.round(seconds / 60), "minute");

/** The ends of an interval of times. */
export const range = ([low, , high]: readonly number[]): string => `${minutes(low ?? 0)} to ${minutes(high ?? 0)}`;
