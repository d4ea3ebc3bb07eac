// Views that stay still while clusters change.
import { useRef, useState } from "preact/hooks";
import { clustersVersion, useBackOnline, useNews } from "../state/news";
import { count } from "./text";

interface Still {
  moved: number;
  joined: number;
  waiting: boolean;
  reload: () => void;
}

const NONE = { moved: 0, joined: 0 };

/**
 * Keeps a view still while others, or the engine, change the clusters: counts what moved, and says when to load again.
 * Changes of one's own are loaded as soon as the clusters take them into account.
 */
export function useStill(load: () => void): Still {
  const [{ moved, joined }, setSince] = useState(NONE);
  const [waiting, setWaiting] = useState(false);
  const awaited = useRef(0);
  const reload = () => {
    setSince(NONE);
    load();
  };
  const arrive = () => {
    awaited.current = 0;
    setWaiting(false);
    reload();
  };
  useNews("changed", ({ seq }) => {
    if (seq <= clustersVersion.peek()) return arrive();
    awaited.current = Math.max(awaited.current, seq);
    setWaiting(true);
  });
  useNews("clusters", (news) => {
    if (awaited.current && news.version >= awaited.current) arrive();
    else if (!awaited.current) setSince((now) => ({ moved: now.moved + news.moved, joined: now.joined + news.joined }));
  });
  useBackOnline(() => {
    if (awaited.current) arrive(); // what came meanwhile was missed
  });
  return { moved, joined, waiting, reload };
}

/** Says quietly that clusters changed; nothing moves until it is pressed. */
export function StillNotice({ still: { moved, joined, waiting, reload } }: { still: Still }) {
  const words = [moved && `${count(moved, "picture")} moved`, joined && `${joined.toLocaleString("en")} new`];
  return (
    <div class="stillness" role="status">
      {waiting && <span class="quiet">Taking your change in…</span>}
      {!waiting && moved + joined > 0 && (
        <>
          <span>{words.filter(Boolean).join(", ")}</span>
          <button type="button" class="small" onClick={reload}>
            Show
          </button>
        </>
      )}
    </div>
  );
}
