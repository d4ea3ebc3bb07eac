// The map: every picture in the plane, coloured by cluster, with the pairs that were asked about.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Cluster, MapData } from "../api/types";
import { GroupMark } from "../parts/group-mark";
import { Loading } from "../parts/loading";
import { MapPlane } from "../parts/map-plane";
import { Scatter } from "../parts/scatter";
import { StillNotice, useStill } from "../parts/still";
import { count, titleOf } from "../parts/text";
import { complain } from "../state/toasts";
import { worded } from "../state/words";

const LISTED = 18;
const ASK_AGAIN = 2000; // milliseconds, while the pictures are being arranged
const UNKNOWN = { layout: 0, working: false };

export function MapView() {
  const [scatter, setScatter] = useState<Scatter | null>(null);
  const [clusters, setClusters] = useState<Cluster[]>([]);
  const [edges, setEdges] = useState(true);
  const [only, setOnly] = useState<number | null>(null);
  const [drawn, redraw] = useState(0);
  const [{ layout, working }, setArranged] = useState(UNKNOWN);
  const show = useCallback((data: MapData) => {
    setScatter((before) => {
      const next = new Scatter(data, () => redraw((n) => n + 1));
      if (before) next.glideFrom(before);
      return next;
    });
    setArranged({ layout: data.layout, working: data.working });
  }, []);
  const load = useCallback(
    () =>
      Promise.all([api.map(), api.clusters("size", 0, LISTED)]).then(([data, wall]) => {
        show(data);
        setClusters(wall.clusters);
      }, complain),
    [show],
  );
  useEffect(() => void load(), [load]);
  useNewLayout(layout, working, show);
  const still = useStill(load);
  const dark = useDark();
  if (!scatter) return <Loading what="Drawing the map…" />;
  return (
    <section class="map" aria-labelledby="map-title">
      <div class="toolbar">
        <h1 id="map-title">Map</h1>
        <span class="quiet">
          {count(scatter.points.length, "picture")}; close together where they look alike
          {working && " (still being arranged)"}
        </span>
        <StillNotice still={still} />
        <label class="switch">
          <input type="checkbox" checked={edges} onChange={() => setEdges(!edges)} /> Asked pairs
        </label>
      </div>
      <MapPlane scatter={scatter} clusters={clusters} edges={edges} only={only} dark={dark} drawn={drawn} />
      <nav class="legend" aria-label={worded`Largest clusters`}>
        <ul>
          {clusters.map((cluster) => (
            <li key={cluster.id}>
              <a
                href={`#/clusters/${cluster.id}`}
                onMouseEnter={() => setOnly(cluster.id)}
                onMouseLeave={() => setOnly(null)}
                onFocus={() => setOnly(cluster.id)}
                onBlur={() => setOnly(null)}
              >
                <GroupMark id={cluster.id} />
                <bdi>{titleOf(cluster)}</bdi>
                {cluster.name && <span class="quiet">{cluster.size}</span>}
              </a>
            </li>
          ))}
        </ul>
        <p class="quiet edges">
          <span class="line same" /> said to be the same <span class="line different" /> different
        </p>
      </nav>
    </section>
  );
}

/** Asks again while the pictures are being arranged, and shows the new layout as soon as it is there. */
function useNewLayout(layout: number, working: boolean, show: (data: MapData) => void): void {
  useEffect(() => {
    if (!working) return;
    let timer = 0;
    let left = false;
    const ask = async () => {
      const data = await api.map(layout).catch(() => null); // away for a moment: asked again
      if (left) return;
      if (data && data.layout !== layout) show(data);
      else if (!data || data.working) timer = window.setTimeout(ask, ASK_AGAIN);
    };
    timer = window.setTimeout(ask, ASK_AGAIN);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [layout, working, show]);
}

function useDark(): boolean {
  const [dark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const asked = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => setDark(asked.matches);
    asked.addEventListener("change", changed);
    return () => asked.removeEventListener("change", changed);
  }, []);
  return dark;
}
