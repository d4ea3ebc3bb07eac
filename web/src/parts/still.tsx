// Views that stay still while clusters change.
import { useRef, useState } from "preact/hooks";
import { clustersVersion, useBackOnline, useNews } from "../state/news";
import { count } from "./text";

interface Still {
  moved: number;
  joined: number;
  reload: () => void;
}

const NONE = { moved: 0, joined: 0 };

/**
 * Keeps a view still while others, or the engine, change the clusters: counts what moved, and says when to load again.
 * What one did oneself is shown at once, and what the engine makes of it as soon as it has: neither is news.
 */
export function useStill(load: () => Promise<unknown>): Still {
  const [{ moved, joined }, setSince] = useState(NONE);
  const loading = useRef(0);
  const awaited = useRef(0); // number of one's own change that the engine has not taken in yet
  const reload = () => {
    loading.current += 1;
    setSince(NONE);
    void load().finally(() => {
      loading.current -= 1;
    });
  };
  useNews("changed", ({ seq }) => {
    awaited.current = seq > clustersVersion.peek() ? seq : 0;
    reload();
  });
  useNews("clusters", (news) => {
    if (awaited.current && news.version >= awaited.current) {
      awaited.current = 0;
      return reload();
    }
    if (awaited.current || loading.current) return;
    setSince((now) => ({ moved: now.moved + news.moved, joined: now.joined + news.joined }));
  });
  useBackOnline(() => {
    awaited.current = 0;
    reload(); // what came meanwhile was missed
  });
  return { moved, joined, reload };
}

/** Says quietly that clusters changed; nothing moves until it is pressed. */
export function StillNotice({ still: { moved, joined, reload } }: { still: Still }) {
  const words = [moved && `${count(moved, "picture")} moved`, joined && `${joined.toLocaleString("en")} new`];
  return (
    <div class="stillness" role="status">
      {moved + joined > 0 && (
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
