// One example of each named cluster, beside the question.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Cluster } from "../api/types";
import { worded } from "../state/words";
import { Cover } from "./cover";
import { titleOf } from "./text";

/** One example of each class that has a name, to look up while answering. */
export function ExamplesBoard({ version }: { version: number }) {
  const [named, setNamed] = useState<Cluster[]>([]);
  useEffect(() => {
    api.clusters("name", 0, 60).then(
      ({ clusters }) => setNamed(clusters.filter((cluster) => cluster.name)),
      () => undefined,
    );
  }, [version]);
  return (
    <aside class="board" aria-label={worded`Examples of the named clusters`}>
      {named.length === 0 && <p class="quiet">{worded`Clusters that you name appear here, with an example each.`}</p>}
      {named.map((cluster) => (
        <a key={cluster.id} href={`#/clusters/${cluster.id}`} title={titleOf(cluster)}>
          <Cover ids={cluster.cover} shown={1} />
          <bdi>{cluster.name}</bdi>
        </a>
      ))}
    </aside>
  );
}
