// Invitations: make one, show its link, revoke it.
import { useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Invite, Team } from "../api/types";
import { PromptLine } from "../parts/prompt";
import { project } from "../state/session";
import { attempt } from "../state/toasts";
import { say } from "../state/undo";
import { takeBackAll } from "./team-work";

export function Invites({ team, onChange }: { team: Team; onChange: () => void }) {
  const [link, setLink] = useState<{ name: string; text: string } | null>(null);
  const [revoked, setRevoked] = useState("");
  const show = (invite: Invite) => setLink({ name: invite.name, text: location.origin + invite.link });
  const invite = async (name: string, days: number): Promise<boolean> => {
    const isDone = await attempt(async () => show(await api.invite(name, days)));
    onChange();
    return isDone;
  };
  const revoke = async ({ id, name }: Invite) => {
    await attempt(async () => {
      await api.revoke(id);
      setLink(null);
      setRevoked(name);
      say(`${name} is out`);
    });
    onChange();
  };
  const takeBack = async () => {
    if (await takeBackAll(revoked)) setRevoked("");
    onChange();
  };
  const work = team.people.find(({ name }) => name === revoked)?.did ?? {};
  const sorted = [...team.invites].sort((a, b) => Number(b.state === "open") - Number(a.state === "open"));
  return (
    <section class="box" aria-labelledby="invites-title">
      <h2 id="invites-title">Invitations</h2>
      <InviteForm onInvite={invite} />
      {link && <Link {...link} />}
      {Object.keys(work).length > 0 && (
        <p class="row" role="status">
          <span>
            What <bdi>{revoked}</bdi> did still counts.
          </span>
          <button type="button" onClick={() => void takeBack()}>
            Take back everything of {revoked}
          </button>
        </p>
      )}
      <ul class="invites" aria-label="Invitations made">
        {sorted.map((each) => (
          <InviteLine key={each.id} invite={each} onLink={() => show(each)} onRevoke={() => void revoke(each)} />
        ))}
      </ul>
      <p class="quiet">
        A link lets one person in, under this name, from any browser that reaches this address. Revoked, it ends at
        once; the answers stay, unless you take them back.
      </p>
      {isOwnMachine(location.hostname) && (
        <p class="quiet">
          Just now that is this machine alone ({location.hostname}): for others, serve it with --host and a token, and
          open this page under an address that they reach.
        </p>
      )}
    </section>
  );
}

const isOwnMachine = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.");

function InviteForm({ onInvite }: { onInvite: (name: string, days: number) => Promise<boolean> }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("7");
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await onInvite(name.trim(), Number(days))) setName("");
  };
  return (
    <form class="inviting" onSubmit={(event) => void submit(event)}>
      <label class="field">
        Name
        <input value={name} maxLength={100} required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label class="field">
        Good for days
        <input
          type="number"
          min={1}
          max={3660}
          value={days}
          required
          onInput={(event) => setDays(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Invite
      </button>
    </form>
  );
}

interface LineProps {
  invite: Invite;
  onLink: () => void;
  onRevoke: () => void;
}

function InviteLine({ invite, onLink, onRevoke }: LineProps) {
  const { name, state } = invite;
  return (
    <li class={state}>
      <span>
        <bdi>{name}</bdi>
        <small class="quiet">{words(invite)}</small>
      </span>
      {state === "open" && (
        <span class="row">
          <button type="button" class="small" aria-label={`Show the link of ${name}`} onClick={onLink}>
            Link
          </button>
          <button type="button" class="small" aria-label={`Revoke the invitation of ${name}`} onClick={onRevoke}>
            Revoke
          </button>
        </span>
      )}
    </li>
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
        <span>
          Link for <bdi>{name}</bdi>; whoever has it comes in under this name
        </span>
        <input ref={field} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()}>
        Copy
      </button>
      <PromptLine prompt={project.value?.settings.prompt ?? ""} settings={project.value?.settings} />
    </div>
  );
}
