// One press away on every question: "this group is complete and right", and "these two groups are one".
import { useState } from "preact/hooks";
import type { Question } from "../api/types";
import { mergeNumbers } from "../state/change";
import { confirm } from "../state/cluster-changes";
import { toggled } from "../state/selection";
import { keys, singleKeys } from "../state/settings";
import { worded } from "../state/words";
import { ClusterPicker } from "./cluster-picker";
import { Dialog } from "./dialog";
import { GroupMark } from "./group-mark";
import { keyName, useKeys } from "./keys";
import { Picture } from "./picture";
import { titleOf } from "./text";

type Beside = NonNullable<Question["items"][number]["cluster"]> & { example: number };
type Asked = "complete" | "one";

/** The groups on the screen, each once; on a grid the one that it is about. */
export function groupsOf({ kind, items }: Question): Beside[] {
  const found = new Map<number, Beside>();
  for (const { id, cluster } of kind === "grid" ? items.slice(0, 1) : items) {
    if (cluster && !found.has(cluster.id)) found.set(cluster.id, { ...cluster, example: id });
  }
  return [...found.values()];
}

export function GroupPresses({ question }: { question: Question }) {
  const [open, setOpen] = useState<Asked | null>(null);
  const groups = groupsOf(question);
  const [only] = groups;
  const press = (asked: Asked) => {
    if (!groups.length) return;
    if (asked === "complete" && groups.length === 1 && only) void confirm(only.id);
    else if (asked === "one" && groups.length === 2) void mergeNumbers(groups.map((group) => group.id));
    else setOpen(asked);
  };
  useKeys({ complete: keys.value.complete ?? "", one: keys.value.one ?? "" }, singleKeys.value, (action) =>
    press(action as Asked),
  );
  if (!groups.length) return null;
  const close = () => setOpen(null);
  const hint = (action: Asked) => singleKeys.value && <kbd>{keyName(keys.value[action] ?? "")}</kbd>;
  return (
    <>
      <button
        type="button"
        class="small"
        title={worded`This group is complete and right`}
        onClick={() => press("complete")}
      >
        <span>Complete</span> {hint("complete")}
      </button>
      <button type="button" class="small" title={worded`These two groups are one`} onClick={() => press("one")}>
        <span>{worded`One group`}</span> {hint("one")}
      </button>
      {open === "complete" && <WhichIsComplete groups={groups} onClose={close} />}
      {open === "one" && groups.length > 2 && <WhichAreOne groups={groups} onClose={close} />}
      {open === "one" && groups.length === 1 && only && (
        <ClusterPicker
          title={worded`One group with`}
          without={only.id}
          onClose={close}
          onChoose={(other) => {
            close();
            void mergeNumbers([only.id, other.id]);
          }}
        />
      )}
    </>
  );
}

interface ListProps {
  groups: Beside[];
  onClose: () => void;
}

function WhichIsComplete({ groups, onClose }: ListProps) {
  return (
    <Dialog title={worded`Which group is complete and right?`} onClose={onClose}>
      <ul class="group-list">
        {groups.map((group) => (
          <li key={group.id}>
            <button
              type="button"
              onClick={() => {
                onClose();
                void confirm(group.id);
              }}
            >
              <Named group={group} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function WhichAreOne({ groups, onClose }: ListProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  return (
    <Dialog title={worded`Which groups are one?`} onClose={onClose}>
      <ul class="group-list">
        {groups.map((group) => (
          <li key={group.id}>
            <button
              type="button"
              aria-pressed={chosen.has(group.id)}
              onClick={() => setChosen(toggled(chosen, group.id))}
            >
              <Named group={group} />
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="primary"
        aria-disabled={chosen.size < 2}
        onClick={() => {
          if (chosen.size < 2) return;
          onClose();
          void mergeNumbers([...chosen]);
        }}
      >
        They are one
      </button>
    </Dialog>
  );
}

function Named({ group }: { group: Beside }) {
  return (
    <>
      <Picture id={group.example} alt="" />
      <GroupMark id={group.id} /> <bdi>{titleOf(group)}</bdi>
    </>
  );
}
