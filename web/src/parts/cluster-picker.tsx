// Choose a cluster by its cover or its name.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Cluster } from "../api/types";
import { complain } from "../state/toasts";
import { worded } from "../state/words";
import { Cover } from "./cover";
import { Dialog } from "./dialog";
import { GroupMark } from "./group-mark";
import { Loading } from "./loading";
import { count, titleOf } from "./text";

const SHOWN = 60;
const PAUSE_MS = 150; // in typing

interface Props {
  title: string;
  without: number;
  onChoose: (cluster: Cluster) => void;
  onClose: () => void;
}

export function ClusterPicker({ title, without, onChoose, onClose }: Props) {
  const [found, setFound] = useState<{ clusters: Cluster[]; more: number } | null>(null);
  const [words, setWords] = useState("");
  const wanted = words.trim();
  useEffect(() => {
    let isOver = false;
    const load = async () => {
      const { clusters, total } = await api.clusters("name", 0, SHOWN + 1, wanted); // those with a name come first
      if (isOver) return;
      const others = clusters.filter((cluster) => cluster.id !== without).slice(0, SHOWN);
      setFound({ clusters: others, more: Math.max(0, total - SHOWN - 1) });
    };
    const timer = setTimeout(() => void load().catch(complain), found ? PAUSE_MS : 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [without, wanted]);
  return (
    <Dialog title={title} wide onClose={onClose}>
      <label class="field">
        Name
        <input
          type="search"
          value={words}
          autofocus
          placeholder="Type to look for a name"
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      {!found && <Loading what={worded`Looking at the clusters…`} />}
      <ul class="covers">
        {found?.clusters.map((cluster) => (
          <li key={cluster.id}>
            <button type="button" onClick={() => onChoose(cluster)}>
              <Cover ids={cluster.cover} />
              <bdi>{titleOf(cluster)}</bdi>
              <span class="quiet">
                <GroupMark id={cluster.id} /> {cluster.name && count(cluster.size, "picture")}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found?.clusters.length === 0 && (
        <p class="quiet">
          {worded`There is no other cluster`}
          {wanted ? " of such a name" : ""}.
        </p>
      )}
      {found !== null && found.more > 0 && (
        <p class="quiet">And {count(found.more, "other")}: type a name to see them.</p>
      )}
    </Dialog>
  );
}
