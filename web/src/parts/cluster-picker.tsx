// Choose a cluster by its cover or its name.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Cluster } from "../api/types";
import { complain } from "../state/toasts";
import { Cover } from "./cover";
import { Dialog } from "./dialog";
import { Loading } from "./loading";
import { count, titleOf } from "./text";

const FETCHED = 1000; // by size, and as many by name: named ones come first there
const SHOWN = 60;

interface Props {
  title: string;
  without: number;
  onChoose: (cluster: Cluster) => void;
  onClose: () => void;
}

export function ClusterPicker({ title, without, onChoose, onClose }: Props) {
  const [clusters, setClusters] = useState<Cluster[] | null>(null);
  const [words, setWords] = useState("");
  useEffect(() => {
    Promise.all([api.clusters("size", 0, FETCHED), api.clusters("name", 0, FETCHED)]).then(([bySize, byName]) => {
      const all = new Map([...bySize.clusters, ...byName.clusters].map((cluster) => [cluster.id, cluster]));
      setClusters([...all.values()].filter((cluster) => cluster.id !== without));
    }, complain);
  }, [without]);

  const wanted = words.trim().toLowerCase();
  const found = (clusters ?? []).filter((cluster) => cluster.name.toLowerCase().includes(wanted));
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
      {!clusters && <Loading what="Looking at the clusters…" />}
      <ul class="covers">
        {found.slice(0, SHOWN).map((cluster) => (
          <li key={cluster.id}>
            <button type="button" onClick={() => onChoose(cluster)}>
              <Cover ids={cluster.cover} />
              <bdi>{titleOf(cluster)}</bdi>
              {cluster.name && <span class="quiet">{count(cluster.size, "picture")}</span>}
            </button>
          </li>
        ))}
      </ul>
      {clusters && found.length === 0 && (
        <p class="quiet">There is no other cluster{wanted ? " of such a name" : ""}.</p>
      )}
      {found.length > SHOWN && (
        <p class="quiet">And {count(found.length - SHOWN, "other")}: type a name to see them.</p>
      )}
    </Dialog>
  );
}
