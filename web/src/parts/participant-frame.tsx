// The frame of pages that people are sent to: one thing to do, nothing of the project around it.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import { knownName, useInvited } from "../state/participant";
import { Mark } from "./icons";
import { OfflineNotice } from "./offline-notice";
import { Toasts } from "./toasts";

interface FrameProps {
  title: string;
  done?: number;
  total?: number;
  onOther?: () => void; // somebody else sits down
  children: ComponentChildren;
}

export function Frame({ title, done = 0, total = 0, onOther, children }: FrameProps) {
  const invited = useInvited();
  useEffect(() => {
    document.title = `${title} – likewise`;
  }, [title]);
  return (
    <div class="participant">
      <header class="top">
        <span class="brand">
          <Mark />
          <strong>{title}</strong>
        </span>
        {total > 0 && (
          <label class="far">
            <span>
              {done} of {total}
            </span>
            <progress value={done} max={total} />
          </label>
        )}
        {onOther && !invited && knownName() && (
          <span class="person">
            <bdi>{knownName()}</bdi>
            <button type="button" class="small" onClick={onOther}>
              Not you?
            </button>
          </span>
        )}
      </header>
      <OfflineNotice />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
    </div>
  );
}

/** The way in: who takes part is asked for where nobody was invited. */
export function Start({ onBegin }: { onBegin: () => void }) {
  const invited = useInvited();
  const [who, setWho] = useState(knownName());
  const known = invited || who.trim();
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (!known) return;
        if (!invited) localStorage.setItem("annotator", known);
        onBegin();
      }}
    >
      {!invited && (
        <label class="field who">
          Your name or number
          <input
            value={who}
            maxLength={100}
            autocomplete="off"
            onInput={(event) => setWho(event.currentTarget.value)}
          />
        </label>
      )}
      <button type="submit" class="primary" aria-disabled={!known}>
        Begin, or go on
      </button>
    </form>
  );
}

export function NotHere({ what, error }: { what: string; error: unknown }) {
  const status = error instanceof Refused ? error.status : 0;
  const words =
    status === 404
      ? "Look at the address again, or ask the person who sent it to you."
      : status === 401
        ? "Open the link of your invitation first, and then this page again."
        : String(error instanceof Error ? error.message : error);
  return (
    <section class="centre">
      <h1>{status === 404 ? `There is no ${what} here` : "This cannot be shown"}</h1>
      <p>{words}</p>
    </section>
  );
}

export function Thanks({ children }: { children: ComponentChildren }) {
  return (
    <section class="centre" aria-live="polite">
      <h1>Thank you</h1>
      {children}
    </section>
  );
}
