// What the question screen is made of: the pictures with their company, the answers, the boards.
import { useEffect, useState } from "preact/hooks";
import { api, type Cluster, type Item, type Next, type Question } from "./api";
import { Icon } from "./icons";
import { keyName, shortcut } from "./keys";
import { Picture } from "./picture";
import { count, Cover, letGo, titleOf } from "./ui";

export const WORDS: Record<string, string> = {
  same: "Same", different: "Different", unsure: "Not sure", ab: "A and B", ac: "A and C", bc: "B and C", none: "None of these",
};

interface SideProps {
  item: Item;
  letter: string;
  alone?: boolean; // without the company of its cluster
  onZoom: () => void;
}

export function Side({ item, letter, alone, onZoom }: SideProps) {
  const { cluster } = item;
  return (
    <figure class={alone ? "side alone" : "side"}>
      <button class="frame" onClick={(event) => (letGo(event), onZoom())} aria-label={`Enlarge ${letter && `picture ${letter}, `}${item.name}`} title={item.name}>
        <Picture id={item.id} size="preview" alt={item.name} />
        {letter && <span class="letter">{letter}</span>}
      </button>
      {!alone && <figcaption>
        {cluster ? (
          <a href={`#/clusters/${cluster.id}`} title={cluster.name || undefined}>
            <bdi>{cluster.name || (cluster.size === 1 ? "On its own" : `With ${count(cluster.size - 1, "other")}`)}</bdi>
          </a>
        ) : (
          <span class="quiet">not grouped yet</span>
        )}
        <span class="strip" role="group" aria-label="Closest pictures of its cluster">
          {cluster?.closest.map((id) => <Picture key={id} id={id} alt="" />)}
        </span>
      </figcaption>}
    </figure>
  );
}

interface AnswersProps {
  kind: Question["kind"];
  keys: Record<string, string>;
  singleKeys: boolean;
  lean: number;
  flash: string;
  busy: boolean;
  act: (action: string) => void;
}

export function Answers({ kind, keys, singleKeys, lean, flash, busy, act }: AnswersProps) {
  const button = (action: string, label: string, style = "") => (
    <button
      key={action}
      class={`${style}${flash === action ? " flash" : ""}`}
      aria-disabled={busy}
      aria-keyshortcuts={singleKeys ? shortcut(keys[action] ?? "") : undefined}
      onClick={(event) => {
        letGo(event);
        act(action);
      }}
    >
      <span>{label}</span>
      {singleKeys && <kbd>{keyName(keys[action] ?? "")}</kbd>}
    </button>
  );
  const towards = (side: number) => (lean * side >= 1 ? " reached" : lean * side > 0 ? " near" : "");
  return (
    <div class={`answers ${kind}`} role="group" aria-label="Answers">
      <div class="main">
        {kind === "pair" ? (
          <>
            {button("same", WORDS["same"]!, `answer same${towards(-1)}`)}
            {button("different", WORDS["different"]!, `answer different${towards(1)}`)}
          </>
        ) : (
          ["ab", "ac", "bc", "none"].map((action) => button(action, WORDS[action]!, action === "none" ? "answer different" : "answer same"))
        )}
      </div>
      <div class="minor">
        {button("unsure", "Not sure")}
        {button("bad", "Bad picture")}
        {button("undo", "Undo")}
        {kind === "pair" && button("swap", "Swap")}
      </div>
    </div>
  );
}

interface WhichProps {
  items: Item[];
  keys: Record<string, string>;
  onBad: (item: Item) => void;
  onCancel: () => void;
}

/** Asks which of the pictures is bad, over the answers. */
export function WhichIsBad({ items, keys, onBad, onCancel }: WhichProps) {
  const names = items.length === 2 ? ["The first", "The second"] : ["A", "B", "C"];
  return (
    <div class="answers which" role="group" aria-label="Which picture is bad?">
      <p>Which picture is of no use? It is left out and never asked about again.</p>
      <div class="main">
        {items.map((item, k) => (
          <button key={item.id} class="answer" autofocus={k === 0} onClick={() => onBad(item)}>
            {names[k]} <kbd>{keyName(keys[["ab", "ac", "bc"][k]!] ?? "")}</kbd>
          </button>
        ))}
        <button class="answer" onClick={onCancel}>
          Neither <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  );
}

/** One example of each class that has a name, to look up while answering. */
export function Board({ version }: { version: number }) {
  const [named, setNamed] = useState<Cluster[]>([]);
  useEffect(() => {
    api.clusters("name", 0, 60).then(({ clusters }) => setNamed(clusters.filter((cluster) => cluster.name)), () => undefined);
  }, [version]);
  return (
    <aside class="board" aria-label="Examples of the named clusters">
      {named.length === 0 && <p class="quiet">Clusters that you name appear here, with an example each.</p>}
      {named.map((cluster) => (
        <a key={cluster.id} href={`#/clusters/${cluster.id}`} title={titleOf(cluster)}>
          <Cover ids={cluster.cover} shown={1} />
          <bdi>{cluster.name}</bdi>
        </a>
      ))}
    </aside>
  );
}

export function Waiting({ next, onUndo }: { next: Exclude<Next, Question>; onUndo: () => void }) {
  const { ready, total } = "waiting" in next ? next.waiting : { ready: 0, total: 0 };
  const first = ready === 0;
  return (
    <section class="centre" aria-live="polite">
      <span class="breathing" aria-hidden="true" />
      <h1>{first ? "Looking at your pictures" : "One moment"}</h1>
      <p>
        {first
          ? `${total ? `${count(total, "picture")} found. ` : ""}The first question comes as soon as a few of them are read.`
          : "The next question is being prepared."}
      </p>
      {!first && <button onClick={onUndo}>Undo</button>}
    </section>
  );
}

export function Done({ reason, onUndo, alone }: { reason: string; onUndo: () => void; alone?: boolean }) {
  return (
    <section class="centre">
      <span class="finished" aria-hidden="true">
        <Icon name="check" />
      </span>
      <h1>Nothing is left to ask</h1>
      <p>{reason.charAt(0).toUpperCase() + reason.slice(1)}.</p>
      <p class="row">
        {!alone && (
          <a class="button primary" href="#/clusters">
            Look at the clusters
          </a>
        )}
        {!alone && (
          <a class="button" href="#/export">
            Export
          </a>
        )}
        <button onClick={onUndo}>Undo</button>
      </p>
    </section>
  );
}
