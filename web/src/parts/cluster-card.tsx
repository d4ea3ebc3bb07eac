// A cluster on the wall.
import { useState } from "preact/hooks";
import type { Cluster } from "../api/types";
import { worded } from "../state/words";
import { Cover } from "./cover";
import { GroupMark, hueStyle } from "./group-mark";
import { Icon } from "./icons";
import { InlineName } from "./inline-name";
import { count, openIn, titleOf } from "./text";
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
      style={hueStyle(cluster.id)}
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
        aria-label={`Open ${title}, ${count(cluster.size, "picture")}${cluster.confirmed ? ", confirmed" : ""}, number ${cluster.id}`}
      >
        <span class="cover-place">
          <Calm flying={cell.flying}>
            <Cover ids={cluster.cover} stacks={cluster.cover_stacks} light />
          </Calm>
        </span>
      </a>
      <label class="pick">
        <input type="checkbox" checked={picked} tabIndex={tab} onChange={onPick} aria-label={`Select ${title}`} />
      </label>
      <div class="about">
        <InlineName
          name={cluster.name}
          what={worded`cluster of ${count(cluster.size, "picture")}`}
          onSave={onName}
          tabIndex={tab}
        />
        <Facts cluster={cluster} />
        <Gauge cluster={cluster} />
      </div>
    </article>
  );
}

function Facts({ cluster }: { cluster: Cluster }) {
  const { id, size, confirmed, n_suggested } = cluster;
  return (
    <p class="facts">
      <GroupMark id={id} />
      <span class="size">{count(size, "picture")}</span>
      {confirmed && (
        <span class="tag good" title="Confirmed">
          <Icon name="check" /> <span class="hidden">confirmed</span>
        </span>
      )}
      {n_suggested > 0 && (
        <span class="tag" title={`${count(n_suggested, "picture")} might belong here`}>
          +{n_suggested}
          <span class="hidden"> suggested</span>
        </span>
      )}
      <OpenCount cluster={cluster} />
    </p>
  );
}

export function OpenCount({ cluster }: { cluster: Cluster }) {
  const open = openIn(cluster);
  return open > 0 ? <span class="open-count">{open.toLocaleString("en")} open</span> : null;
}

/** How much of a cluster is settled: full and calm where all of it is. */
export function Gauge({ cluster }: { cluster: Cluster }) {
  const open = openIn(cluster);
  const share = cluster.size ? 1 - open / cluster.size : 1;
  const words = open ? `${cluster.size - open} of ${count(cluster.size, "picture")} settled` : "All settled";
  return (
    <span class={open ? "gauge" : "gauge full"} role="img" aria-label={words} title={words}>
      <span style={{ width: `${100 * share}%` }} />
    </span>
  );
}
