// The curve of settled pictures, and the estimate of how good the clusters are.
import type { Progress } from "../api/types";
import { worded } from "../state/words";
import { count, percent } from "./text";

export function Curve({ points }: { points: Progress["curve"] }) {
  const last = points.at(-1);
  if (points.length < 2 || !last) return <p class="quiet empty">The curve begins with your second answer.</p>;
  const [w, h, left, bottom] = [560, 240, 56, 28];
  const x = (answers: number) => left + ((w - left - 12) * answers) / last.answers;
  const y = (share: number) => 10 + (h - bottom - 10) * (1 - share);
  const line = [{ answers: 0, settled: 0 }, ...points].map(
    (p) => `${x(p.answers).toFixed(1)},${y(p.settled).toFixed(1)}`,
  );
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${w} ${h}`}
      role="img"
      aria-label={worded`After ${last.answers} answers ${percent(last.settled)} of the pictures are settled`}
    >
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line class="rule" x1={left} x2={w - 12} y1={y(share)} y2={y(share)} />
          <text x={left - 6} y={y(share) + 4} text-anchor="end">
            {percent(share)}
          </text>
        </g>
      ))}
      {[...new Set([0, Math.round(last.answers / 2), last.answers])].map((answers) => (
        <text key={answers} x={x(answers)} y={h - 8} text-anchor={answers === last.answers ? "end" : "middle"}>
          {answers.toLocaleString("en")}
          {answers === last.answers ? " answers" : ""}
        </text>
      ))}
      <polygon class="area" points={`${x(0)},${y(0)} ${line.join(" ")} ${x(last.answers)},${y(0)}`} />
      <polyline class="stroke" points={line.join(" ")} />
      <circle class="end" cx={x(last.answers)} cy={y(last.settled)} r="4.5" />
    </svg>
  );
}

export function Estimate({ progress: { estimate, n_checks: n } }: { progress: Progress }) {
  if (!estimate) {
    return (
      <p class="quiet empty">
        {worded`Nothing to say yet. Now and then a question is a check: two pictures of one cluster, picked at random. From your answers to these follows how many pairs of the clusters are right.`}
      </p>
    );
  }
  const [low, middle, high] = estimate;
  return (
    <div class="estimate">
      <p>
        <strong>{percent(middle)}</strong>
        {worded` of the pairs within clusters are right, from`} {`${count(n, "check question")}; `}
        with 95 % certainty between {percent(low)} and {percent(high)}.
      </p>
      <div class="interval" role="img" aria-label={`Between ${percent(low)} and ${percent(high)}`}>
        <span
          class="range"
          style={{ left: percent(low).replace(" ", ""), right: `${100 - Math.round(100 * high)}%` }}
        />
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
