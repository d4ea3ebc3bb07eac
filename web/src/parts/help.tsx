// The keys of every screen, one press away.
import { useEffect, useState } from "preact/hooks";
import { keys, singleKeys } from "../state/settings";
import { worded } from "../state/words";
import { Dialog } from "./dialog";
import { Icon } from "./icons";
import { DEFAULT_KEYS, KEY_WORDS, keyName, useKeys } from "./keys";

const ELSEWHERE: [string, [string, string][]][] = [
  [
    "Clusters",
    [
      ["← ↑ → ↓", "go from one to another"],
      ["Enter", "open"],
      ["Space", "select"],
      ["F2", "name"],
      ["M", "merge what is selected"],
      ["/", "look for a name"],
    ],
  ],
  [
    "A cluster",
    [
      ["← ↑ → ↓", "go from picture to picture"],
      ["Space", "select"],
      ["Shift", "with arrows or a click: select a row"],
      ["Ctrl A", "select all"],
      ["Enter", "enlarge"],
    ],
  ],
  [
    "A grid",
    [
      ["← ↑ → ↓", "go from picture to picture"],
      ["Space", "it is odd"],
      ["Z", "enlarge"],
      ["Enter", "send, and go on to the next group"],
    ],
  ],
  [
    "Browse",
    [
      ["← ↑ → ↓", "go from example to example"],
      ["Enter", "enlarge"],
    ],
  ],
  [
    "Tags",
    [
      ["Y", "the suggested tag is right"],
      ["N", "it is not, and is not suggested again"],
    ],
  ],
  [
    "Disagreements",
    [
      ["S D Space", "same, different, cannot be told"],
      ["Z", "enlarge"],
    ],
  ],
  [
    "Map",
    [
      ["← ↑ → ↓", "move"],
      ["+ −", "enlarge, make smaller"],
      ["0", "show all"],
    ],
  ],
  [
    "Everywhere",
    [
      ["Ctrl Z", "undo"],
      ["Ctrl Shift Z", "redo"],
      ["?", "these keys"],
      ["Esc", "close, or select nothing"],
    ],
  ],
];

const OPENS = { help: "?" };

export function Help({ isAnnotator = false }: { isAnnotator?: boolean }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const close = () => setOpen(false); // a link was followed
    addEventListener("hashchange", close);
    return () => removeEventListener("hashchange", close);
  }, []);
  useKeys(OPENS, singleKeys.value, () => setOpen(true));
  return (
    <>
      <button type="button" class="icon help" aria-label="Keys" title="Keys (?)" onClick={() => setOpen(true)}>
        <Icon name="help" />
      </button>
      {open && (
        <Dialog title="Keys" wide onClose={() => setOpen(false)}>
          <div class="keylists">
            <section>
              <h3>Questions{singleKeys.value ? "" : " (switched off)"}</h3>
              <dl>
                {Object.keys(DEFAULT_KEYS).map((action) => (
                  <Row key={action} name={keyName(keys.value[action] ?? "")} what={worded(KEY_WORDS[action] ?? "")} />
                ))}
              </dl>
            </section>
            {ELSEWHERE.filter(([screen]) => !isAnnotator || screen === "Everywhere").map(([screen, rows]) => (
              <section key={screen}>
                <h3>{worded(screen)}</h3>
                <dl>
                  {rows.map(([name, what]) => (
                    <Row key={name} name={name} what={worded(what)} />
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <p class="quiet">
            {worded`On a touch screen, swipe left for same and right for different; press a picture of a grid for a while to enlarge it.`}
            {!isAnnotator && (
              <>
                {" "}
                Keys are changed in the <a href="#/settings">settings</a>.
              </>
            )}
          </p>
        </Dialog>
      )}
    </>
  );
}

function Row({ name, what }: { name: string; what: string }) {
  return (
    <div>
      <dt>
        <kbd>{name}</kbd>
      </dt>
      <dd>{what}</dd>
    </div>
  );
}
