// Crowd work: page after page of pictures, to be given keywords or sorted into groups.
import { useMemo, useRef, useState } from "preact/hooks";
import { crowdRoutes } from "../api/crowd";
import { annotator } from "../api/requests";
import type { Hit, Work } from "../api/types";
import { Loading } from "../parts/loading";
import { Frame, NotHere, Start, Thanks } from "../parts/participant-frame";
import { count } from "../parts/text";
import { forgetName, useParticipation } from "../state/participant";
import { complain } from "../state/toasts";
import { say } from "../state/undo";
import { Grouping } from "./crowd-grouping";
import { Keywords } from "./crowd-keywords";

export interface PageProps {
  hit: Hit;
  draft: string; // where what is not sent yet is kept
  before?: Record<string, string[]>;
  onSend: (form: object) => Promise<void>;
}

const TITLES = { keywords: "Keywords", grouping: "Groups" };

const DAY = 86_400;

export function CrowdPage({ name }: { name: string }) {
  const routes = useMemo(() => crowdRoutes(name), [name]);
  const { now, setNow, wrong } = useParticipation(routes.state);
  const [begun, setBegun] = useState(false);
  const since = useRef(0);
  const run = async (request: () => Promise<Work>) => {
    try {
      setNow(await request());
      since.current = performance.now();
      scrollTo(0, 0);
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  };
  const sendHit = async (hit: Hit, draft: string, form: object) => {
    const seconds = Math.min(DAY, Math.round(performance.now() - since.current) / 1000);
    if (!(await run(() => routes.hit({ hit: hit.number, seconds, ...form })))) return;
    localStorage.removeItem(draft);
    say("Kept");
    await run(routes.next);
  };
  if (wrong !== null || !now) {
    return (
      <Frame title="Pictures">
        {wrong !== null ? <NotHere what="such work" error={wrong} /> : <Loading what="Opening…" />}
      </Frame>
    );
  }
  const begin = () => {
    setBegun(true);
    void run(routes.next);
  };
  const changePerson = () => {
    forgetName();
    setBegun(false);
  };
  return (
    <Frame title={TITLES[now.kind]} onOther={begun ? changePerson : undefined}>
      {!begun && <Begin kind={now.kind} onBegin={begin} />}
      {begun && now.done > 0 && (
        <p class="done-so-far quiet">
          {count(now.done, "page")} done.{" "}
          <button type="button" class="small" onClick={() => void run(routes.back)}>
            Change the last one
          </button>
        </p>
      )}
      {begun && <Page name={name} work={now} onSend={sendHit} />}
    </Frame>
  );
}

interface WorkProps {
  name: string;
  work: Work;
  onSend: (hit: Hit, draft: string, form: object) => Promise<void>;
}

function Page({ name, work: { kind, hit, before, done, finished }, onSend }: WorkProps) {
  if (hit) {
    const draft = `draft/${name}/${annotator()}/${hit.number}`;
    const props = { hit, draft, before, onSend: (form: object) => onSend(hit, draft, form) };
    return kind === "keywords" ? <Keywords key={hit.number} {...props} /> : <Grouping key={hit.number} {...props} />;
  }
  if (!finished) return null;
  return (
    <Thanks>
      <p>
        There is no page left for you. {done > 0 && `Your ${count(done, "page")} ${done === 1 ? "is" : "are"} kept.`}
      </p>
    </Thanks>
  );
}

function Begin({ kind, onBegin }: { kind: Work["kind"]; onBegin: () => void }) {
  return (
    <section class="page" aria-labelledby="begin">
      <h1 id="begin">{kind === "keywords" ? "What is on these pictures?" : "Which pictures belong together?"}</h1>
      <p>
        {kind === "keywords"
          ? "Give each picture some keywords, about three: what it shows, in words of your own. Use the same word for the same thing on different pictures."
          : "Sort the pictures of a page into groups of those that you find alike, as many groups as you like. A picture that is like no other stays by itself."}
      </p>
      <p>
        A page is kept as soon as you send it, and you can change the last one. Stop whenever you like; what you began
        is here when you come back.
      </p>
      <Start onBegin={onBegin} />
    </section>
  );
}
