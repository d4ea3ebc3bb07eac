// What people did besides answering: counts by kind, everything of one person taken back, bad pictures to decide on.
import { useState } from "preact/hooks";
import { send, signed } from "../api/requests";
import { api } from "../api/routes";
import type { components } from "../api/schema";
import type { Team, TeamMember } from "../api/types";
import { Picture } from "../parts/picture";
import { count } from "../parts/text";
import { publish } from "../state/news";
import { attempt } from "../state/toasts";
import { say } from "../state/undo";
import { worded } from "../state/words";

type TakenBack = components["schemas"]["TakenBackView"];
type Stored = components["schemas"]["Stored"];

const WORDS: Record<string, [string, string]> = {
  answer: ["answer", "answers"],
  bad: ["picture left out", "pictures left out"],
  restore: ["picture taken in", "pictures taken in"],
  adjudicate: ["decision", "decisions"],
  gold: ["gold pair", "gold pairs"],
  grid: ["grid check", "grid checks"],
  check: ["grid check", "grid checks"],
  tag: ["tag", "tags"],
  name: ["name", "names"],
  merge: ["merge", "merges"],
  split: ["split", "splits"],
  move: ["move", "moves"],
  confirm: ["confirmation", "confirmations"],
};

const inWords = (did: Record<string, number>): string =>
  Object.entries(did)
    .map(([kind, n]) => count(n, ...(WORDS[kind] ?? [kind, `${kind} (several)`])))
    .join(", ");

const total = (did: Record<string, number>): number => Object.values(did).reduce((sum, n) => sum + n, 0);

/** Take back everything of somebody in one step, which the manager's undo brings back. */
export async function takeBackAll(name: string): Promise<boolean> {
  return attempt(async () => {
    const done = await send<TakenBack>("team/take-back", signed({ name }));
    publish("changed", { seq: done.seq });
    say(`Took back ${count(done.events, "step")} of ${name || "somebody"}`, true);
  });
}

/** What somebody did, and the buttons that take all of it back or bring it back. */
export function Work({ person, onChange }: { person: TeamMember; onChange: () => void }) {
  const [busy, setBusy] = useState(false);
  const { name, did, taken_back } = person;
  const run = async (step: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    await step();
    setBusy(false);
    onChange();
  };
  const bringBack = () =>
    attempt(async () => {
      const { seq } = await send<Stored>("steps/take-back", signed({ seq: taken_back }));
      publish("changed", { seq });
      say(`Everything of ${name || "somebody"} counts again`, true);
    });
  return (
    <span class="row">
      <span>{inWords(did) || (taken_back === null ? "–" : "all taken back")}</span>
      {total(did) > 0 && (
        <button
          type="button"
          class="small"
          aria-disabled={busy}
          aria-label={`Take back all of ${name || "somebody"}`}
          onClick={() => void run(() => takeBackAll(name))}
        >
          Take back all
        </button>
      )}
      {taken_back !== null && (
        <button
          type="button"
          class="small"
          aria-disabled={busy}
          aria-label={`Bring back everything of ${name || "somebody"}`}
          onClick={() => void run(bringBack)}
        >
          Bring back
        </button>
      )}
    </span>
  );
}

/** Bad pictures that people reported, for the manager to decide on. */
export function Reports({ team, onChange }: { team: Team; onChange: () => void }) {
  if (!team.reports.length) return null;
  const decide = async (item: number, isBad: boolean) => {
    await attempt(async () => {
      const { seq } = await (isBad ? api.bad(item) : api.restore(item));
      publish("changed", { seq });
      say(isBad ? "Left out" : "Kept", true);
    });
    onChange();
  };
  return (
    <section class="box" aria-labelledby="reports-title">
      <h2 id="reports-title">{count(team.reports.length, "bad picture")} reported</h2>
      <p class="quiet">
        {worded`A picture is left out when as many people report it as are asked the same question, or when you say so. Who has reported many waits until you have looked.`}
      </p>
      <ul class="thumbs">
        {team.reports.slice(0, 200).map(({ item, people, left_out }) => (
          <li key={item}>
            <Picture id={item} alt={worded`Picture ${item}`} />
            <small class="quiet">
              <bdi>{people.join(", ")}</bdi>
              {left_out ? ": left out" : ""}
            </small>
            <button
              type="button"
              class="small"
              aria-label={worded`Leave out picture ${item}`}
              onClick={() => void decide(item, true)}
            >
              Leave out
            </button>
            <button
              type="button"
              class="small"
              aria-label={worded`Keep picture ${item}`}
              onClick={() => void decide(item, false)}
            >
              Keep
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
