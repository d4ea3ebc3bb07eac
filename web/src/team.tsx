// The team: how everybody does, the invitations, and how questions are shared out.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, type Interval, type Invite, type Me, type Settings, type TeamMember, type Team } from "./api";
import { leave } from "./join";
import { useNews } from "./news";
import { complain, say } from "./toast";
import { count, Figure, Loading, percent } from "./ui";

export function TeamView({ me, onChange }: { me: Me; onChange: () => void }) {
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
      <People team={team} />
      <div class="cards">
        <Invites team={team} onChange={() => void load()} />
        <Sharing team={team} onChange={() => (void load(), onChange())} />
      </div>
      {me.signed_in && (
        <p class="row only-phone">
          <button onClick={() => void leave()}>Sign out</button>
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
          <a class="button small" href="#/adjudicate">Decide</a>
        </div>
      )}
      <dl class="numbers">
        <Figure label="answers" value={team.answers.toLocaleString("en")} note={`by ${count(team.people.length, "person", "people")}`} />
        <Figure label="questions done" value={team.complete.toLocaleString("en")} note={`of ${team.questions.toLocaleString("en")} begun`} />
        <Figure label="agreement" value={one(team.alpha)} note="Krippendorff’s α: 1 is full, 0 is chance" />
        <Figure label="decided by you" value={team.adjudicated.toLocaleString("en")} note="" />
        <Figure label="answering now" value={String(team.holding)} note="hold a question" />
      </dl>
    </>
  );
}

function People({ team: { people } }: { team: Team }) {
  if (!people.length) return <p class="quiet empty box">Nobody has answered yet. Invite somebody below, and send them the link.</p>;
  return (
    <div class="box scrolling" role="region" aria-label="People" tabIndex={0}>
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
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <Row key={person.name} person={person} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ person }: { person: TeamMember }) {
  return (
    <tr>
      <th scope="row"><bdi>{person.name || "somebody"}</bdi></th>
      <td>{person.answers.toLocaleString("en")}</td>
      <td>{person.answers ? percent(person.unsure / person.answers) : "–"}</td>
      <td>{one(person.seconds, 1)}</td>
      <td>{person.accuracy ? <Range of={person.accuracy} note={`of ${person.gold}`} /> : "–"}</td>
      <td>{person.agreement === null ? "–" : percent(person.agreement)}</td>
      <td>{person.reliability ? <Range of={person.reliability} note="" /> : "–"}</td>
    </tr>
  );
}

function Range({ of: [low, middle, high], note }: { of: Interval; note: string }) {
  return (
    <span title="With 95 % certainty">
      {percent(middle)} <small class="quiet">{Math.round(100 * low)}–{percent(high)} {note}</small>
    </span>
  );
}

function Invites({ team, onChange }: { team: Team; onChange: () => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("7");
  const [link, setLink] = useState<{ name: string; text: string } | null>(null);
  const shown = (invite: Invite) => setLink({ name: invite.name, text: location.origin + invite.link });
  const invite = async () => {
    try {
      shown(await api.invite(name.trim(), Number(days)));
      setName("");
    } catch (error) {
      complain(error);
    }
    onChange();
  };
  const revoke = async (found: Invite) => {
    try {
      await api.revoke(found.id);
      setLink(null);
      say(`${found.name} is out`);
    } catch (error) {
      complain(error);
    }
    onChange();
  };
  const sorted = [...team.invites].sort((a, b) => Number(b.state === "open") - Number(a.state === "open"));
  return (
    <section class="box" aria-labelledby="invites-title">
      <h2 id="invites-title">Invitations</h2>
      <form class="inviting" onSubmit={(event) => (event.preventDefault(), void invite())}>
        <label class="field">
          Name
          <input value={name} maxLength={100} required onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          Good for days
          <input type="number" min={1} max={3660} value={days} required onInput={(event) => setDays(event.currentTarget.value)} />
        </label>
        <button class="primary">Invite</button>
      </form>
      {link && <Link {...link} />}
      <ul class="invites" aria-label="Invitations made">
        {sorted.map((each) => (
          <li key={each.id} class={each.state}>
            <span>
              <bdi>{each.name}</bdi>
              <small class="quiet">{words(each)}</small>
            </span>
            {each.state === "open" && (
              <span class="row">
                <button class="small" aria-label={`Show the link of ${each.name}`} onClick={() => shown(each)}>Link</button>
                <button class="small" aria-label={`Revoke the invitation of ${each.name}`} onClick={() => void revoke(each)}>Revoke</button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <p class="quiet">A link lets one person in, under this name, from any browser. Revoked, it ends at once; the answers stay.</p>
    </section>
  );
}

const words = ({ state, expires_at }: Invite): string => {
  if (state !== "open") return state;
  return `until ${new Date(expires_at).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })}`;
};

function Link({ name, text }: { name: string; text: string }) {
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      say("Press Ctrl C to copy what is selected"); // pages without TLS have no clipboard
    }
  };
  return (
    <div class="link" role="status">
      <label class="field">
        <span>Link for <bdi>{name}</bdi>; whoever has it comes in under this name</span>
        <input ref={field} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button onClick={() => void copy()}>Copy</button>
    </div>
  );
}

const RATES = [
  ["0", "None"],
  ["0.05", "One in twenty"],
  ["0.1", "One in ten"],
  ["0.2", "One in five"],
] as const;

function Sharing({ team, onChange }: { team: Team; onChange: () => void }) {
  const keep = async (changes: Partial<Settings>, text: string) => {
    try {
      await api.settings(changes);
      say(text);
    } catch (error) {
      complain(error);
    }
    onChange();
  };
  const number = (name: "overlap" | "lease_minutes", label: string, min: number, max: number, text: (n: number) => string) => (
    <label class="field">
      {label}
      <input
        type="number"
        min={min}
        max={max}
        value={team[name]}
        onChange={(event) => void keep({ [name]: Number(event.currentTarget.value) }, text(Number(event.currentTarget.value)))}
      />
    </label>
  );
  return (
    <section class="box" aria-labelledby="sharing-title">
      <h2 id="sharing-title">How questions are shared out</h2>
      {number("overlap", "People asked the same question", 1, 20, (n) => `New questions go to ${count(n, "person", "people")}`)}
      <p class="quiet">With two or more, what they say is compared; where they disagree, you decide. For questions that nobody answered yet.</p>
      <label class="field">
        Gold questions
        <select value={String(team.gold_rate)} onChange={(event) => void keep({ gold_rate: Number(event.currentTarget.value) }, "Chosen")}>
          {RATES.some(([value]) => value === String(team.gold_rate)) || <option value={String(team.gold_rate)}>{percent(team.gold_rate)}</option>}
          {RATES.map(([value, text]) => (
            <option key={value} value={value}>{text}</option>
          ))}
        </select>
      </label>
      <p class="quiet">
        Questions whose answer is known, mixed in unseen, show how reliable people are. {count(team.gold_pairs, "pair")} known: from confirmed
        clusters, from what you decided, and from what you import.
      </p>
      <GoldImport onDone={onChange} />
      {number("lease_minutes", "Minutes to answer", 1, 1440, (n) => `A question waits ${count(n, "minute")}`)}
      <p class="quiet">After that, somebody else may be asked.</p>
    </section>
  );
}

/** Pairs whose answer is known, from a table of picture numbers. */
function GoldImport({ onDone }: { onDone: () => void }) {
  const read = async (file: File | undefined) => {
    if (!file) return;
    try {
      const { pairs } = await api.gold(readPairs(await file.text()));
      say(`${count(pairs, "gold pair")} kept`, true);
    } catch (error) {
      complain(error);
    }
    onDone();
  };
  return (
    <label class="field">
      Import gold pairs (CSV: i, j, same or different)
      <input type="file" accept=".csv,text/csv" onChange={(event) => void read(event.currentTarget.files?.[0])} />
    </label>
  );
}

type GoldPair = [number, number, string];

export function readPairs(text: string): GoldPair[] {
  const pairs: GoldPair[] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    const [i = "", j = "", value = ""] = line.split(/[,;\t]/).map((part) => part.trim().replace(/^"|"$/g, ""));
    if (line.trim() === "" || (at === 0 && !/^\d+$/.test(i))) return; // the names of the columns
    if (!/^\d+$/.test(i) || !/^\d+$/.test(j) || !["same", "different"].includes(value)) {
      throw new Error(`line ${at + 1} is not two picture numbers and same or different`);
    }
    pairs.push([Number(i), Number(j), value]);
  });
  if (!pairs.length) throw new Error("there are no pairs in this file");
  return pairs;
}
