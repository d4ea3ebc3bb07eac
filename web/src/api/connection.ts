// Whether the server answers: one signal, set by every request, by the stream of events and by looking again.
import { computed, signal } from "@preact/signals";

const LOOK_AGAIN_MS = 2000;

const reports = signal({ online: true });

/** Each report that the server answers, or does not: a new object every time, so that none goes unnoticed. */
export const connection = computed(() => reports.value);

export const offline = computed(() => !reports.value.online);

export function reportConnection(online: boolean): void {
  reports.value = { online };
}

/** Ask for something small until there is an answer, whatever it is; gives a function that stops asking. */
export function lookForServer(): () => void {
  const look = () =>
    fetch("/api/me").then(
      (response) => response.status !== 503 && reportConnection(true),
      () => undefined,
    );
  const timer = setInterval(look, LOOK_AGAIN_MS);
  return () => clearInterval(timer);
}
