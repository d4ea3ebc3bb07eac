// The pictures of a cluster, to look at and to select.
import { useState } from "preact/hooks";
import type { Member } from "../api/types";
import type { Selection } from "../state/selection";
import { worded } from "../state/words";
import { Icon } from "./icons";
import type { Pages } from "./paged-list";
import { Tile } from "./picture";
import { StackCount, StackDialog } from "./stack";
import { TagLine } from "./tag-line";
import { Calm, type Cell, VirtualGrid } from "./virtual-grid";
import { Zoom } from "./zoom";

const squareOf = (width: number): number => width;

interface Props {
  label: string;
  pages: Pages<Member>;
  total: number;
  selection: Selection;
  /** The picture that stands for the cluster: that it is settled goes without saying. */
  first: number | undefined;
}

export function MemberGrid({ label, pages, total, selection, first }: Props) {
  const [zoomed, setZoomed] = useState<number | null>(null);
  const [opened, setOpened] = useState<readonly number[] | null>(null);
  const [inStack, setInStack] = useState<number | null>(null);
  const open = (index: number) => {
    const stack = pages.at(index)?.stack ?? [];
    if (stack.length) setOpened(stack);
    else setZoomed(index);
  };
  const keyElsewhere = (event: KeyboardEvent) => {
    if (event.key === "Escape") selection.clear();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) selection.extend(0, total - 1);
    else return;
    event.preventDefault();
  };
  const key = (event: KeyboardEvent, index: number) => {
    if (!pages.at(index)) return;
    if (event.key === " ") selection.toggle(index, event.shiftKey);
    else if (event.key === "Enter") open(index);
    else return keyElsewhere(event);
    event.preventDefault();
  };
  return (
    <>
      <VirtualGrid
        total={total}
        minWidth={innerWidth < 600 ? 96 : 136}
        height={squareOf}
        label={label}
        role="listbox"
        onRange={pages.need}
        onKey={key}
        onKeyElsewhere={keyElsewhere}
        onMove={(from, to, extend) => extend && selection.extend(from, to)}
        render={(index, cell) => {
          const member = pages.at(index);
          return (
            <MemberTile
              member={member}
              cell={cell}
              isChosen={member !== undefined && selection.chosen.has(member.id)}
              isFirst={member?.id === first}
              onToggle={(extend) => selection.toggle(index, extend)}
              onOpen={() => open(index)}
            />
          );
        }}
      />
      {opened && <StackDialog ids={opened} onZoom={setInStack} onClose={() => setOpened(null)} />}
      {opened && inStack !== null && (
        <Zoom ids={[...opened]} at={opened.indexOf(inStack)} onClose={() => setInStack(null)} />
      )}
      {zoomed !== null && <ZoomMembers memberAt={pages.at} total={total} at={zoomed} onClose={() => setZoomed(null)} />}
    </>
  );
}

interface TileProps {
  member: Member | undefined;
  cell: Cell;
  isChosen: boolean;
  isFirst: boolean;
  onToggle: (extend: boolean) => void;
  onOpen: () => void;
}

function MemberTile({ member, cell, isChosen, isFirst, onToggle, onOpen }: TileProps) {
  const n = member?.stack.length ?? 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of all its tiles
    <div
      class={`member${isChosen ? " on" : ""}${n ? " stacked" : ""}`}
      role="option"
      data-focus
      tabIndex={cell.active ? 0 : -1}
      aria-selected={isChosen}
      aria-label={member ? worded`Picture ${member.id}${wordsOf(member)}` : "Loading"}
      onClick={(event) => onToggle(event.shiftKey)}
      onDblClick={onOpen}
    >
      {member && (
        <Calm key={member.id} flying={cell.flying}>
          <Tile id={member.id} />
        </Calm>
      )}
      {member?.placed ? (
        <span class="settled placed" title="Put here by hand" />
      ) : (
        member?.settled && !isFirst && <span class="settled" title="Settled by answers" />
      )}
      {n > 0 && <StackCount n={n} onOpen={onOpen} />}
      {isChosen && (
        <span class="tick">
          <Icon name="check" />
        </span>
      )}
    </div>
  );
}

/** What is known of a picture, after its number. */
const wordsOf = ({ placed, settled, stack }: Member): string =>
  (stack.length ? `, a stack of ${stack.length}` : "") +
  (placed ? ", put here by hand" : settled ? ", settled by answers" : "");

const NEARBY = 100; // pictures of the list on either side, an arrow key away

interface ZoomProps {
  memberAt: (index: number) => Member | undefined;
  total: number;
  at: number;
  onClose: () => void;
}

function ZoomMembers({ memberAt, total, at, onClose }: ZoomProps) {
  const ids: number[] = [];
  let shown = 0;
  for (let index = Math.max(0, at - NEARBY); index < Math.min(total, at + NEARBY); index++) {
    const member = memberAt(index);
    if (index === at) shown = ids.length;
    if (member) ids.push(member.id);
  }
  return <Zoom ids={ids} at={shown} onClose={onClose} below={(id) => <TagLine ids={[id]} />} />;
}
