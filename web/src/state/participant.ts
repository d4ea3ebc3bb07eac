// Who takes part in a study or in crowd work: somebody invited, or the name that was typed.
import { useCallback, useEffect, useState } from "preact/hooks";
import { annotator } from "../api/requests";
import { api } from "../api/routes";
import { useBackOnline } from "./news";
import { complain } from "./toasts";

/**
 * An invitation may be in the address, after #: it is taken out of it, as no history is to keep it, and exchanged for a
 * cookie. One that is not good is said by whatever is asked for next.
 */
async function enter(): Promise<void> {
  const token = decodeURIComponent(location.hash.slice(1));
  if (!token || !/^\/(study|crowd)\//.test(location.pathname)) return;
  history.replaceState(null, "", location.pathname);
  await api.join(token).catch(() => undefined);
}

export const entered = enter();

/** Who was invited, by the name in the invitation; empty for others, who say it themselves. */
export function useInvited(): string {
  const [name, setName] = useState("");
  useEffect(() => {
    entered
      .then(() => api.me())
      .then(
        (me) => setName(me.role === "annotator" ? me.name : ""),
        () => undefined,
      );
  }, []);
  return name;
}

interface Participation<T> {
  now: T | null;
  setNow: (now: T) => void;
  /** Why it cannot be shown. */
  wrong: unknown;
  load: () => Promise<void>;
}

/** How far a participant is: read once the invitation was taken, and again when the server is back. */
export function useParticipation<T>(read: () => Promise<T>): Participation<T> {
  const [now, setNow] = useState<T | null>(null);
  const [wrong, setWrong] = useState<unknown>(null);
  const load = useCallback(
    () =>
      entered
        .then(read)
        .then(setNow, (error: unknown) => (error instanceof TypeError ? complain(error) : setWrong(error))),
    [read],
  );
  useEffect(() => void load(), [load]);
  useBackOnline(() => {
    if (now === null) void load();
  });
  return { now, setNow, wrong, load };
}

export const knownName = (): string => (annotator() === "me" ? "" : annotator());

export const forgetName = (): void => localStorage.removeItem("annotator");
