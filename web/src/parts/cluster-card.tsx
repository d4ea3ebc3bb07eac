// A cluster on the wall.
import { useState } from "preact/hooks";
import type { Cluster } from "../api/types";
import { Cover } from "./cover";
import { Icon } from "./icons";
import { InlineName } from "./inline-name";
import { count, titleOf } from "./text";
import { Calm, type Cell } from "./virtual-grid";

interface CardProps {
  cluster: Cluster;
  cell: Cell;
  picked: boolean;
  onPick: () => void;
  onName: (name: string) => void;
  onDrag: () => void;
  onDropped: () => void;
}

const DRAGGED = "application/x-likewise-cluster";

export function ClusterCard({ cluster, cell, picked, onPick, onName, onDrag, onDropped }: CardProps) {
  const [over, setOver] = useState(false);
  const tab = cell.active ? 0 : -1;
  const title = titleOf(cluster);
  return (
    <article
      class={`card${picked ? " picked" : ""}${over ? " over" : ""}`}
      draggable
      onDragStart={(event) => {
        event.dataTransfer?.setData(DRAGGED, "");
        onDrag();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(DRAGGED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDropped();
      }}
    >
      <a
        href={`#/clusters/${cluster.id}`}
        tabIndex={tab}
        data-focus
        draggable={false}
        aria-label={`Open ${title}, ${count(cluster.size, "picture")}${cluster.confirmed ? ", confirmed" : ""}`}
      >
        <span class="cover-place">
          <Calm flying={cell.flying}>
            <Cover ids={cluster.cover} light />
          </Calm>
        </span>
      </a>
      <label class="pick">
        <input type="checkbox" checked={picked} tabIndex={tab} onChange={onPick} aria-label={`Select ${title}`} />
      </label>
      <div class="about">
        <InlineName
          name={cluster.name}
          what={`cluster of ${count(cluster.size, "picture")}`}
          onSave={onName}
          tabIndex={tab}
        />
        <Facts cluster={cluster} />
      </div>
    </article>
  );
}

function Facts({ cluster: { size, confirmed, n_suggested, doubt } }: { cluster: Cluster }) {
  return (
    <p class="facts">
      <span>{count(size, "picture")}</span>
      {confirmed && (
        <span class="tag good">
          <Icon name="check" /> <span>confirmed</span>
        </span>
      )}
      {n_suggested > 0 && <span class="tag">+{n_suggested} suggested</span>}
      {!confirmed && <Doubt share={doubt} />}
    </p>
  );
}

/** Doubt is at most a half: there another cluster is as close. */
function Doubt({ share }: { share: number }) {
  const part = Math.min(1, 2 * share);
  return (
    <span
      class="doubt"
      role="img"
      aria-label={`doubt ${Math.round(100 * part)} %`}
      title={`Doubt ${Math.round(100 * part)} %`}
    >
      <span style={{ width: `${100 * part}%` }} />
    </span>
  );
}
