// Says that the server does not answer, and looks for it until it does.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { lookForServer, offline } from "../api/connection";

/** The same sentence on every page; `children` is what else can be done about it. */
export function OfflineNotice({ children }: { children?: ComponentChildren }) {
  const away = offline.value;
  useEffect(() => (away ? lookForServer() : undefined), [away]);
  if (!away) return null;
  return (
    <p class="offline" role="alert">
      The server does not answer. What you said is kept here and sent again{children}.
    </p>
  );
}
