// The messages at the edge of the page: over no button that stays in its place, and gone after a while.
import { useEffect, useState } from "preact/hooks";
import { closeToast, stayOf, type Toast, toasts } from "../state/toasts";
import { keepFocus } from "./focus";

export function Toasts() {
  return (
    <section class="toasts" aria-live="polite" aria-label="Messages">
      {toasts.value.toasts.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** It stays while it is pointed at, or has the focus. */
function Message({ toast }: { toast: Toast }) {
  const { id, text, tone, actions = [] } = toast;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => closeToast(id), stayOf(toast));
    return () => clearTimeout(timer);
  }, [held]);
  const close = () => {
    closeToast(id);
    keepFocus();
  };
  return (
    <div
      class={`toast ${tone}`}
      role={tone === "wrong" ? "alert" : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span>{text}</span>
      {actions.map(({ label, run }) => (
        <button
          key={label}
          type="button"
          class="small"
          onClick={() => {
            close();
            run();
          }}
        >
          {label}
        </button>
      ))}
      <button type="button" class="small" aria-label="Close this message" onClick={close}>
        ✕
      </button>
    </div>
  );
}
