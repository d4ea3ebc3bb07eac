// The team: how everybody does, the invitations, and how questions are shared out.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Interval, Team, TeamMember } from "../api/types";
import { Figure } from "../parts/figure";
import { Loading } from "../parts/loading";
import { uncounted, why } from "../parts/suspicion";
import { count, percent } from "../parts/text";
import { useNews } from "../state/news";
import { leave, me } from "../state/session";
import { complain } from "../state/toasts";
import { Invites } from "./team-invitations";
import { Sharing } from "./team-sharing";
import { Reports, Work } from "./team-work";

export function TeamView() {
  const [team, setTeam] = useState<Team | null>(null);
  const load = useCallback(() => api.team().then(setTeam, complain), []);
  useEffect(() => void load(), [load]);
  useNews("changed", () => void load());
  useNews("clusters", () => void load());
  if (!team) return <Loading what="Counting…" />;
  return (
    <section class="team" aria-labelledby="team-title">
      <div class="toolbar">
        <h1 id="team-title">Team</h1>
        <span class="quiet">People see neither each other nor what others said.</span>
      </div>
      <Figures team={team} />
      <People team={team} onChange={() => void load()} />
      <Reports team={team} onChange={() => void load()} />
      <div class="cards">
        <Invites team={team} onChange={() => void load()} />
        <Sharing team={team} onChange={() => void load()} />
      </div>
      {me.value?.signed_in && (
        <p class="row only-phone">
          <button type="button" onClick={() => void leave()}>
            Sign out
          </button>
        </p>
      )}
    </section>
  );
}

const one = (value: number | null, digits = 2): string => (value === null ? "–" : value.toFixed(digits));

function Figures({ team }: { team: Team }) {
  return (
    <>
      {team.disputes > 0 && (
        <div class="stop hint">
          <strong>{count(team.disputes, "question")} on which people disagree</strong>
          <a class="button small" href="#/adjudicate">
            Decide
          </a>
        </div>
      )}
      <dl class="numbers">
        <Figure
          label="answers"
          value={team.answers.toLocaleString("en")}
          note={`by ${count(team.people.length, "person", "people")}`}
        />
        <Figure
          label="questions done"
          value={team.complete.toLocaleString("en")}
          note={`of ${team.questions.toLocaleString("en")} begun`}
        />
        <Figure label="agreement" value={one(team.alpha)} note="Krippendorff’s α: 1 is full, 0 is chance" />
        <Figure label="decided by you" value={team.adjudicated.toLocaleString("en")} note="" />
        <Figure label="answering now" value={String(team.holding)} note="hold a question" />
      </dl>
    </>
  );
}

function People({ team: { people }, onChange }: { team: Team; onChange: () => void }) {
  if (!people.length)
    return <p class="quiet empty box">Nobody has answered yet. Invite somebody below, and send them the link.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keyboard too
    <section class="box scrolling" aria-label="People" tabIndex={0}>
      <table class="people">
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Answers</th>
            <th scope="col">Not sure</th>
            <th scope="col">Seconds</th>
            <th scope="col">Right on gold</th>
            <th scope="col">Agrees with others</th>
            <th scope="col">Reliability</th>
            <th scope="col">Did</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <Row key={person.name} person={person} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ person, onChange }: { person: TeamMember; onChange: () => void }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{person.name || "somebody"}</bdi>
        {person.suspicion && <Suspicion of={person} />}
      </th>
      <td>{person.answers.toLocaleString("en")}</td>
      <td>{person.answers ? percent(person.unsure / person.answers) : "–"}</td>
      <td>{one(person.seconds, 1)}</td>
      <td>{person.accuracy ? <Range of={person.accuracy} note={`of ${person.gold}`} /> : "–"}</td>
      <td>{person.agreement === null ? "–" : percent(person.agreement)}</td>
      <td>{person.reliability ? <Range of={person.reliability} note="" /> : "–"}</td>
      <td>
        <Work person={person} onChange={onChange} />
      </td>
    </tr>
  );
}

/** Why somebody's answers are not counted. */
function Suspicion({ of: person }: { of: TeamMember }) {
  const how = uncounted(person);
  return (
    <p class="note">
      {how.charAt(0).toUpperCase() + how.slice(1)}: {why(person)}. They are kept, and count again when later answers say
      otherwise.
    </p>
  );
}

function Range({ of: [low, middle, high], note }: { of: Interval; note: string }) {
  return (
    <span title="With 95 % certainty">
      {percent(middle)}{" "}
      <small class="quiet">
        {Math.round(100 * low)}–{percent(high)} {note}
      </small>
    </span>
  );
}
