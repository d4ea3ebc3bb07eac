// The question screen when there is no question: one is being prepared, or none is left.
import type { Next, Question } from "../api/types";
import { Icon } from "../parts/icons";
import { worded } from "../state/words";

export function Waiting({ next, onUndo }: { next: Exclude<Next, Question>; onUndo: () => void }) {
  const { ready, total, reason = "" } = "waiting" in next ? next.waiting : { ready: 0, total: 0 };
  if (reason) {
    return (
      <section class="centre" aria-live="polite">
        <h1>Nothing to ask about</h1>
        <p>{reason}</p>
      </section>
    );
  }
  const first = ready === 0;
  return (
    <section class="centre" aria-live="polite">
      <span class="breathing" aria-hidden="true" />
      <h1>{first ? worded`Looking at your pictures` : "One moment"}</h1>
      <p>
        {first
          ? worded`${total > 1 ? worded`${total.toLocaleString("en")} pictures found. ` : ""}The first question comes as soon as a few of them are read.`
          : "The next question is being prepared."}
      </p>
      {!first && (
        <button type="button" onClick={onUndo}>
          Undo
        </button>
      )}
    </section>
  );
}

export function Done({ reason, onUndo, blind }: { reason: string; onUndo: () => void; blind?: boolean }) {
  return (
    <section class="centre">
      <span class="finished" aria-hidden="true">
        <Icon name="check" />
      </span>
      <h1>Nothing is left to ask</h1>
      <p>{reason.charAt(0).toUpperCase() + reason.slice(1)}.</p>
      <p class="row">
        {!blind && (
          <a class="button primary" href="#/finish">
            {worded`Name and confirm the groups`}
          </a>
        )}
        {!blind && (
          <a class="button" href="#/clusters">
            {worded`Look at the clusters`}
          </a>
        )}
        {!blind && (
          <a class="button" href="#/export">
            Export
          </a>
        )}
        <button type="button" onClick={onUndo}>
          Undo
        </button>
      </p>
    </section>
  );
}
