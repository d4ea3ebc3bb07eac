// What can be done with the selected pictures of a group.
import { useState } from "preact/hooks";
import { leaveOut, makeGroup, moveTo, splitOff, takeApart } from "../state/cluster-changes";
import type { Selection } from "../state/selection";
import { worded } from "../state/words";
import { ActionBar } from "./action-bar";
import { ClusterPicker } from "./cluster-picker";
import { TagDialog } from "./tag-line";
import { count } from "./text";

interface Props {
  id: number;
  size: number;
  selection: Selection;
  /** The pictures that one stands for: what is done with a stack is done with each of them. */
  stackOf: (id: number) => readonly number[];
  onChange: (done: Promise<boolean>) => void;
}

export function PictureActions({ id, size, selection, stackOf, onChange }: Props) {
  const [open, setOpen] = useState<"move" | "tag" | null>(null);
  const chosen = [...selection.chosen].flatMap(stackOf);
  const stacked = [...selection.chosen].map(stackOf).filter((stack) => stack.length > 1);
  const isSome = chosen.length < size;
  const close = () => setOpen(null);
  const part = (act: (cluster: number, items: number[]) => Promise<boolean>) => ({
    type: "button" as const,
    "aria-disabled": !isSome,
    title: isSome ? undefined : "All of them are selected: leave at least one",
    onClick: () => isSome && onChange(act(id, chosen)),
  });
  return (
    <>
      <p class="hidden" role="status">
        {chosen.length > 0 && `${count(chosen.length, "picture")} selected`}
      </p>
      {chosen.length > 0 && (
        <ActionBar label={worded`Selected pictures`}>
          <span>{chosen.length.toLocaleString("en")} selected</span>
          <button class="primary" {...part(splitOff)}>
            Split off
          </button>
          <button {...part(makeGroup)}>{worded`Make a group`}</button>
          <button type="button" onClick={() => setOpen("move")}>
            Move to…
          </button>
          <button type="button" onClick={() => setOpen("tag")}>
            Tag…
          </button>
          {stacked.length > 0 && (
            <button type="button" onClick={() => onChange(takeApart(stacked.flat()))}>
              Take apart
            </button>
          )}
          <button type="button" onClick={() => onChange(leaveOut(chosen))}>
            Bad
          </button>
          <button type="button" onClick={selection.clear}>
            Clear
          </button>
        </ActionBar>
      )}
      {open === "tag" && chosen.length > 0 && <TagDialog ids={chosen} onClose={close} />}
      {open === "move" && (
        <ClusterPicker
          title={`Move ${count(chosen.length, "picture")} to`}
          without={id}
          onClose={close}
          onChoose={(other) => {
            close();
            onChange(moveTo(other, chosen));
          }}
        />
      )}
    </>
  );
}
