// Crowd work: page after page of pictures, to be given keywords or sorted into groups.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { entered, forgetName, Frame, NotHere, Start, Thanks } from "./alone";
import { annotator, get, send, signed } from "./api";
import { Grouping } from "./grouping";
import { Keywords } from "./keywords";
import { complain, say } from "./toast";
import { count, Loading } from "./ui";

export interface Hit {
  number: number;
  items: number[];
}

interface Work {
  name: string;
  kind: "keywords" | "grouping";
  hit: Hit | null;
  done: number;
  finished?: boolean;
  before?: Record<string, string[]>;
}

export interface PageProps {
  hit: Hit;
  draft: string; // where what is not sent yet is kept
  before?: Record<string, string[]>;
  onSend: (form: object) => Promise<void>;
}

const work = (name: string) => {
  const path = `crowd/${encodeURIComponent(name)}`;
  return {
    state: () => get<Work>(`${path}?annotator=${encodeURIComponent(annotator())}`),
    next: () => send<Work>(`${path}/next`, signed({})),
    hit: (form: object) => send<Work>(`${path}/hits`, signed(form)),
    back: () => send<Work>(`${path}/back`, signed({})),
  };
};

const TITLES = { keywords: "Keywords", grouping: "Groups" };

export function CrowdPage({ name }: { name: string }) {
  const calls = useMemo(() => work(name), [name]);
  const [now, setNow] = useState<Work | null>(null);
  const [wrong, setWrong] = useState<unknown>(null);
  const [begun, setBegun] = useState(false);
  const since = useRef(0);
  const load = useCallback(() => entered.then(calls.state).then(setNow, setWrong), [calls]);
  useEffect(() => void load(), [load]);

  const show = (found: Work) => {
    setNow(found);
    since.current = performance.now();
    scrollTo(0, 0);
  };
  const run = async (what: () => Promise<Work>) => {
    try {
      show(await what());
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  };
  const sendHit = async (hit: Hit, draft: string, form: object) => {
    const seconds = Math.min(86_400, Math.round(performance.now() - since.current) / 1000);
    if (!(await run(() => calls.hit({ hit: hit.number, seconds, ...form })))) return;
    localStorage.removeItem(draft);
    say("Kept");
    await run(calls.next);
  };
  if (wrong !== null) return <Frame title="Pictures"><NotHere what="such work" error={wrong} /></Frame>;
  if (!now) return <Frame title="Pictures"><Loading what="Opening…" /></Frame>;
  const begin = () => {
    setBegun(true);
    void run(calls.next);
  };
  const { hit, kind, before } = now;
  const draft = hit ? `draft/${name}/${annotator()}/${hit.number}` : "";
  const form = { hit: hit!, draft, before, onSend: (said: object) => sendHit(hit!, draft, said) };
  return (
    <Frame title={TITLES[kind]} onOther={begun ? () => (forgetName(), setBegun(false)) : undefined}>
      {!begun && <Begin kind={kind} onBegin={begin} />}
      {begun && now.done > 0 && (
        <p class="done-so-far quiet">
          {count(now.done, "page")} done. <button class="small" onClick={() => void run(calls.back)}>Change the last one</button>
        </p>
      )}
      {begun && hit && kind === "keywords" && <Keywords key={hit.number} {...form} />}
      {begun && hit && kind === "grouping" && <Grouping key={hit.number} {...form} />}
      {begun && !hit && now.finished && (
        <Thanks>
          <p>There is no page left for you. {now.done > 0 && `Your ${count(now.done, "page")} ${now.done === 1 ? "is" : "are"} kept.`}</p>
        </Thanks>
      )}
    </Frame>
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
      <p>A page is kept as soon as you send it, and you can change the last one. Stop whenever you like; what you began is here when you come back.</p>
      <Start onBegin={onBegin} />
    </section>
  );
}
