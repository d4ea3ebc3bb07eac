// Which pictures are wanted: one filter for the search, the wall, and what is asked.
import { signal } from "@preact/signals";
import { api } from "../api/routes";
import type { Filter, Focus } from "../api/types";
import { attempt } from "./toasts";
import { worded } from "./words";

export const NO_FILTER: Filter = {
  q: "",
  folder: "",
  camera: "",
  name: "",
  tag: "",
  state: "",
  since: "",
  until: "",
};

/** The filter of the wall and of the search, as it was left. */
export const wanted = signal<Filter>(NO_FILTER);

export const STATES: Record<Exclude<Filter["state"], "">, string> = {
  open: "not settled yet",
  settled: "settled",
  named: "in a named group",
  unnamed: "in no named group",
  bad: "left out as bad",
};

/** Only what a filter wants, for an address. */
export const queryOf = (filter: Filter): string =>
  Object.entries(filter)
    .filter(([, value]) => value)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join("");

export const isEmpty = (filter: Filter): boolean => queryOf(filter) === "";

/** What a filter wants, in words. */
export function wordsOf(filter: Filter): string {
  const days = filter.since && filter.until ? `${filter.since} to ${filter.until}` : "";
  return [
    filter.q && `“${filter.q}”`,
    filter.folder && `in ${filter.folder}`,
    filter.name && `called ${filter.name}`,
    filter.tag && `tagged ${filter.tag}`,
    filter.camera && `by ${filter.camera}`,
    days || (filter.since && `since ${filter.since}`) || (filter.until && `until ${filter.until}`),
    filter.state && worded(STATES[filter.state]),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The only pictures that are asked about; null while it is not known. */
export const focus = signal<Focus | null>(null);

export const loadFocus = (): Promise<unknown> =>
  api.focus().then(
    (found) => {
      focus.value = found;
    },
    () => undefined, // what is wrong is said elsewhere
  );

/** Ask only about these from now on; true when it is so. */
export async function askOnly(filter: Filter): Promise<boolean> {
  return attempt(async () => {
    focus.value = await api.setFocus(filter);
  });
}
