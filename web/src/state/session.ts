// Who is at the page, the project, and how far it is.
import { computed } from "@preact/signals";
import { api } from "../api/routes";
import type { Indexing, Me, Progress, Project, Settings } from "../api/types";
import { createStore } from "./store";
import { complain } from "./toasts";

export interface SessionState {
  me: Me | null;
  project: Project | null;
  progress: Progress | null;
  /** Settings that were changed here and that the server does not have yet. */
  unsaved: Partial<Settings>;
}

type SessionAction =
  | { type: "me"; me: Me }
  | { type: "project"; project: Project }
  | { type: "progress"; progress: Progress }
  | { type: "indexing"; indexing: Indexing }
  | { type: "settings"; changes: Partial<Settings> }
  | { type: "settings-answered"; changes: Partial<Settings> };

export const NOTHING_LOADED: SessionState = { me: null, project: null, progress: null, unsaved: {} };

export function reduceSession(state: SessionState, action: SessionAction): SessionState {
  const { project } = state;
  switch (action.type) {
    case "me":
      return { ...state, me: action.me };
    case "project":
      return { ...state, project: withSettings(action.project, state.unsaved) };
    case "progress":
      return { ...state, progress: action.progress };
    case "indexing":
      return { ...state, project: project && { ...project, indexing: action.indexing } };
    case "settings":
      return {
        ...state,
        unsaved: { ...state.unsaved, ...action.changes },
        project: project && withSettings(project, action.changes),
      };
    case "settings-answered":
      return { ...state, unsaved: without(state.unsaved, action.changes) };
  }
}

const withSettings = (project: Project, changes: Partial<Settings>): Project => ({
  ...project,
  settings: { ...project.settings, ...changes },
});

/** What is left when some changes are no longer waiting; a later change of the same setting still is. */
const without = (unsaved: Partial<Settings>, changes: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(unsaved).filter(([name, value]) => value !== changes[name as keyof Settings]),
  ) as Partial<Settings>;

const store = createStore(reduceSession, NOTHING_LOADED);

export const dispatch = store.dispatch;
export const me = computed(() => store.state.value.me);
export const project = computed(() => store.state.value.project);
export const progress = computed(() => store.state.value.progress);

export const loadProject = (): Promise<void> =>
  api.project().then((found) => dispatch({ type: "project", project: found }), complain);

/** Load the project and how far it is. */
export function refresh(): void {
  void loadProject();
  api.progress().then(
    (found) => dispatch({ type: "progress", progress: found }),
    () => undefined,
  );
}

/** Leave: whoever comes next at this machine has to sign in. */
export async function leave(): Promise<void> {
  try {
    await api.leave();
    location.replace("/");
  } catch (error) {
    complain(error);
  }
}
