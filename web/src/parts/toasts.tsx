// The messages in the corner of the page.
import { closeToast, toasts } from "../state/toasts";

export function Toasts() {
  return (
    <section class="toasts" aria-live="polite" aria-label="Messages">
      {toasts.value.toasts.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone}`} role={tone === "wrong" ? "alert" : undefined}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="small"
              onClick={() => {
                closeToast(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="small" aria-label="Close this message" onClick={() => closeToast(id)}>
            ✕
          </button>
        </div>
      ))}
    </section>
  );
}
