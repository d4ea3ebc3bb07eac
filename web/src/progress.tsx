// How far along: numbers, the curve, how good it seems, and whether one can stop.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api, type Progress } from "./api";
import { publish, useNews } from "./news";
import { Picture } from "./picture";
import { complain, say } from "./toast";
import { count, Figure, Loading, percent } from "./ui";

export function ProgressView() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const load = useCallback(() => {
    api.progress().then(setProgress, complain);
  }, []);
  useEffect(load, [load]);
  useNews("clusters", load);
  useNews("changed", load);
  if (!progress) return <Loading what="Counting…" />;
  const people = Object.entries(progress.by_annotator).sort((a, b) => b[1] - a[1]);
  return (
    <section class="progress" aria-labelledby="progress-title">
      <div class="toolbar">
        <h1 id="progress-title">Progress</h1>
      </div>
      <div class={progress.stop.hint ? "stop hint" : "stop"}>
        <strong>{progress.stop.hint ? "You can stop here" : "Worth going on"}</strong>
        <span>{progress.stop.reason}.</span>
        {progress.conflicts > 0 && <a href="#/conflicts">Look at {count(progress.conflicts, "conflict")}</a>}
      </div>
      <dl class="numbers">
        <Figure label="answers" value={progress.answers.toLocaleString("en")} note={people.length > 1 ? `by ${people.length} people` : ""} />
        <Figure label="of the pictures settled" value={percent(progress.settled)} note="known to be the same as another" />
        <Figure label={progress.clusters === 1 ? "cluster" : "clusters"} value={progress.clusters.toLocaleString("en")} note="" />
        <Figure label="an answer" value={progress.seconds_per_answer === null ? "–" : `${progress.seconds_per_answer} s`} note="over the last ones" />
        <Figure label="in a row agreed" value={String(progress.agreeing)} note="with the clusters as they were" />
      </dl>
      <div class="charts">
        <figure>
          <figcaption>Settled pictures, answer by answer</figcaption>
          <Curve points={progress.curve} />
        </figure>
        <figure>
          <figcaption>How good the clusters seem</figcaption>
          <Estimate progress={progress} />
        </figure>
      </div>
      {people.length > 1 && (
        <details class="more">
          <summary>Who answered</summary>
          <table>
            <tbody>
              {people.map(([who, n]) => (
                <tr key={who}>
                  <th scope="row"><bdi>{who || "somebody"}</bdi></th>
                  <td>{n.toLocaleString("en")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      <LeftOut />
      <Skipped />
    </section>
  );
}

function Curve({ points }: { points: Progress["curve"] }) {
  if (points.length < 2) return <p class="quiet empty">The curve begins with your second answer.</p>;
  const [w, h, left, bottom] = [560, 240, 56, 28];
  const last = points[points.length - 1]!;
  const x = (answers: number) => left + ((w - left - 12) * answers) / last.answers;
  const y = (share: number) => 10 + (h - bottom - 10) * (1 - share);
  const line = [{ answers: 0, settled: 0 }, ...points].map((p) => `${x(p.answers).toFixed(1)},${y(p.settled).toFixed(1)}`);
  return (
    <svg class="curve" viewBox={`0 0 ${w} ${h}`} role="img" aria-label={`After ${last.answers} answers ${percent(last.settled)} of the pictures are settled`}>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line class="rule" x1={left} x2={w - 12} y1={y(share)} y2={y(share)} />
          <text x={left - 6} y={y(share) + 4} text-anchor="end">{percent(share)}</text>
        </g>
      ))}
      {[...new Set([0, Math.round(last.answers / 2), last.answers])].map((answers) => (
        <text key={answers} x={x(answers)} y={h - 8} text-anchor={answers === last.answers ? "end" : "middle"}>
          {answers.toLocaleString("en")}{answers === last.answers ? " answers" : ""}
        </text>
      ))}
      <polygon class="area" points={`${x(0)},${y(0)} ${line.join(" ")} ${x(last.answers)},${y(0)}`} />
      <polyline class="stroke" points={line.join(" ")} />
      <circle class="end" cx={x(last.answers)} cy={y(last.settled)} r="4.5" />
    </svg>
  );
}

function Estimate({ progress: { estimate, n_checks: n } }: { progress: Progress }) {
  if (!estimate) {
    return (
      <p class="quiet empty">
        Nothing to say yet. Now and then a question is a check: two pictures of one cluster, picked at random. From your
        answers to these follows how many pairs of the clusters are right.
      </p>
    );
  }
  const [low, middle, high] = estimate;
  return (
    <div class="estimate">
      <p>
        <strong>{percent(middle)}</strong> of the pairs within clusters are right, from {count(n, "check question")}; with 95 % certainty between{" "}
        {percent(low)} and {percent(high)}.
      </p>
      <div class="interval" role="img" aria-label={`Between ${percent(low)} and ${percent(high)}`}>
        <span class="range" style={{ left: percent(low).replace(" ", ""), right: `${100 - Math.round(100 * high)}%` }} />
        <span class="point" style={{ left: `${Math.round(100 * middle)}%` }} />
      </div>
      <p class="scale quiet" aria-hidden="true">
        <span>0 %</span>
        <span>50 %</span>
        <span>100 %</span>
      </p>
    </div>
  );
}

/** Pictures that people called bad, each with the way back. */
function LeftOut() {
  const [ids, setIds] = useState<number[]>([]);
  const load = useCallback(() => {
    api.leftOut().then(setIds, () => undefined);
  }, []);
  useEffect(load, [load]);
  useNews("changed", load);
  if (!ids.length) return null;
  const restore = async (id: number) => {
    try {
      publish("changed", { seq: (await api.restore(id)).seq });
      say("Taken in again", true);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <details class="more">
      <summary>{count(ids.length, "bad picture")} left out</summary>
      <ul class="thumbs">
        {ids.slice(0, 200).map((id) => (
          <li key={id}>
            <Picture id={id} alt={`Picture ${id}`} />
            <button class="small" onClick={() => void restore(id)}>Take in again</button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Files that could not be read, with the reason. */
function Skipped() {
  const [files, setFiles] = useState<{ path: string; reason: string }[]>([]);
  useEffect(() => {
    api.skipped().then(setFiles, () => undefined);
  }, []);
  if (!files.length) return null;
  return (
    <details class="more">
      <summary>{count(files.length, "file")} passed over</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {files.slice(0, 500).map(({ path, reason }) => (
            <tr key={path}>
              <th scope="row"><bdi>{path}</bdi></th>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
