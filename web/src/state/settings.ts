// The settings of the project, and those that this browser keeps.
import { computed } from "@preact/signals";
import { annotator } from "../api/requests";
import { api } from "../api/routes";
import type { Settings } from "../api/types";
import { keysOf } from "../parts/keys";
import { dispatch, project, refresh } from "./session";
import { complain } from "./toasts";
import { say } from "./undo";

export const settings = computed<Settings | undefined>(() => project.value?.settings);

export const keys = computed(() => keysOf(settings.value));
export const singleKeys = computed(() => settings.value?.single_keys !== false);
export const questionKind = computed(() => settings.value?.kind ?? "auto");

/** Keep settings; they hold at once, on every screen, before the server has them. */
export async function keepSettings(changes: Partial<Settings>, words: string): Promise<void> {
  dispatch({ type: "settings", changes });
  try {
    await api.settings(changes);
    say(words);
  } catch (error) {
    complain(error);
  }
  dispatch({ type: "settings-answered", changes });
  refresh();
}

/** Keep the name under which answers are stored; gives the name that is kept. */
export function keepName(typed: string): string {
  const name = typed.trim() || "me";
  if (name !== annotator()) {
    localStorage.setItem("annotator", name);
    say(`Your answers are kept as ${name}'s`);
    refresh();
  }
  return name;
}
