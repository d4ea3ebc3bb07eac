// How far along: numbers, the curve, how good it seems, and whether one can stop.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Progress } from "../api/types";
import { Curve, Estimate } from "../parts/charts";
import { Figure } from "../parts/figure";
import { Loading } from "../parts/loading";
import { Picture } from "../parts/picture";
import { count, minutes, percent, range } from "../parts/text";
import { leaveOut } from "../state/cluster-changes";
import { publish, useNews } from "../state/news";
import { complain } from "../state/toasts";
import { sayDone } from "../state/undo";
import { ofFaces, worded } from "../state/words";

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
      <TimeLeft left={progress.left} />
      <Figures progress={progress} people={people.length} />
      <div class="charts">
        <figure>
          <figcaption>{worded`Settled pictures, answer by answer`}</figcaption>
          <Curve points={progress.curve} />
        </figure>
        <figure>
          <figcaption>{worded`How good the clusters seem`}</figcaption>
          <Estimate progress={progress} />
        </figure>
      </div>
      {progress.forms.length > 0 && <Pace forms={progress.forms} />}
      {people.length > 1 && <WhoAnswered people={people} />}
      <LeftOut />
      <Skipped />
    </section>
  );
}

function Figures({ progress, people }: { progress: Progress; people: number }) {
  return (
    <dl class="numbers">
      <Figure
        label="answers"
        value={progress.answers.toLocaleString("en")}
        note={people > 1 ? `by ${people} people` : ""}
      />
      <Figure
        label={worded`of the pictures settled`}
        value={percent(progress.settled)}
        note="known to be the same as another"
      />
      <Figure
        label={worded(progress.clusters === 1 ? "cluster" : "clusters")}
        value={progress.clusters.toLocaleString("en")}
        note=""
      />
      <Figure
        label="an answer"
        value={progress.seconds_per_answer === null ? "–" : `${progress.seconds_per_answer} s`}
        note="over the last ones"
      />
      <Figure label="in a row agreed" value={String(progress.agreeing)} note={worded`with the clusters as they were`} />
    </dl>
  );
}

/** About how long it takes yet, with an interval, and how that is known. */
function TimeLeft({ left }: { left: Progress["left"] }) {
  if (!left) return null;
  const [, most] = left.to_most;
  const [, all] = left.to_end;
  if (!most && !all) return null;
  return (
    <p class="time-left">
      About <strong>{minutes(most)}</strong> left to 95 % ({range(left.to_most)}), <strong>{minutes(all)}</strong> to
      all ({range(left.to_end)}), at the pace of the last answers. <span class="quiet">{left.reason}.</span>
    </p>
  );
}

/** How fast this person is with each form, and how often contradicted. */
function Pace({ forms }: { forms: Progress["forms"] }) {
  return (
    <details class="more" open>
      <summary>Your pace, form by form</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Form</th>
            <th scope="col">Answers</th>
            <th scope="col">Seconds</th>
            <th scope="col">Set aside</th>
          </tr>
        </thead>
        <tbody>
          {forms.map((each) => (
            <tr key={each.form}>
              <th scope="row">{each.form}</th>
              <td>{each.answers.toLocaleString("en")}</td>
              <td>
                {each.base}
                {each.shown > 0 && ` + ${each.shown} for each shown`}
                {each.tap > 0 && ` + ${each.tap} for each tap`}
              </td>
              <td>
                {each.set_aside} of {each.statements.toLocaleString("en")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function WhoAnswered({ people }: { people: [string, number][] }) {
  return (
    <details class="more">
      <summary>Who answered</summary>
      <table>
        <tbody>
          {people.map(([who, n]) => (
            <tr key={who}>
              <th scope="row">
                <bdi>{who || "somebody"}</bdi>
              </th>
              <td>{n.toLocaleString("en")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
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
      const { seq } = await api.restore(id);
      publish("changed", { seq });
      sayDone("Taken in again", [seq]);
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
            <Picture id={id} alt={worded`Picture ${id}`} />
            <button type="button" class="small" onClick={() => void restore(id)}>
              Take in again
            </button>
          </li>
        ))}
      </ul>
      {ofFaces.value && <AlikeLeftOut version={ids.length} />}
    </details>
  );
}

/** Faces that look like those that were left out, each with the press that leaves it out too. */
function AlikeLeftOut({ version }: { version: number }) {
  const [ids, setIds] = useState<number[]>([]);
  useEffect(() => {
    api.doubtfulFaces().then(setIds, () => undefined);
  }, [version]);
  if (!ids.length) return null;
  return (
    <section class="alike-left-out" aria-labelledby="alike">
      <h3 id="alike">No faces either?</h3>
      <p class="quiet">These look most like what was left out.</p>
      <ul class="thumbs">
        {ids.map((id) => (
          <li key={id}>
            <Picture id={id} alt={`Face ${id}`} />
            <button type="button" class="small" onClick={() => void leaveOut([id])}>
              Not a face
            </button>
          </li>
        ))}
      </ul>
      {ids.length > 1 && (
        <button type="button" onClick={() => void leaveOut(ids)}>
          Leave out all {ids.length}
        </button>
      )}
    </section>
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
              <th scope="row">
                <bdi>{path}</bdi>
              </th>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
