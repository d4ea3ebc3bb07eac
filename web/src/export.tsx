// What goes out: a table, everything that was said, folders.
import { useState } from "preact/hooks";
import { api } from "./api";
import { complain } from "./toast";
import { count } from "./ui";

const MODES = [
  ["copy", "Copies"],
  ["hardlink", "Hard links (no room needed, same disk)"],
  ["symlink", "Symbolic links"],
] as const;

export function Export() {
  return (
    <section class="export" aria-labelledby="export-title">
      <div class="toolbar">
        <h1 id="export-title">Export</h1>
        <span class="quiet">Your pictures are never changed or moved.</span>
      </div>
      <div class="cards">
        <section class="box" aria-labelledby="as-table">
          <h2 id="as-table">Clusters as a table</h2>
          <p>A row for each picture: its file, its cluster, the cluster's name, and whether that was confirmed.</p>
          <a class="button primary" href="/api/export?format=csv" download="clusters.csv">
            Download CSV
          </a>
        </section>
        <section class="box" aria-labelledby="as-log">
          <h2 id="as-log">Everything that was said</h2>
          <p>A line for each answer, name, merge or undo: who, when, how long it took, and what was shown.</p>
          <a class="button primary" href="/api/export?format=jsonl" download="answers.jsonl">
            Download JSONL
          </a>
        </section>
        <Folders />
      </div>
    </section>
  );
}

function Folders() {
  const [target, setTarget] = useState("");
  const [mode, setMode] = useState<string>("copy");
  const [state, setState] = useState<"" | "busy" | string>("");
  const submit = async (event: Event) => {
    event.preventDefault();
    if (state === "busy") return;
    setState("busy");
    try {
      const done = await api.exportFolders(target.trim(), mode);
      setState(`${count(done.pictures, "picture")} in ${done.target}`);
    } catch (error) {
      setState("");
      complain(error);
    }
  };
  return (
    <section class="box" aria-labelledby="as-folders">
      <h2 id="as-folders">A folder for each cluster</h2>
      <form onSubmit={submit}>
        <label class="field">
          Where to
          <input value={target} required placeholder="/home/you/sorted" spellcheck={false} onInput={(event) => setTarget(event.currentTarget.value)} />
        </label>
        <label class="field">
          As
          <select value={mode} onChange={(event) => setMode(event.currentTarget.value)}>
            {MODES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button class="primary" type="submit" aria-disabled={state === "busy"}>
          {state === "busy" ? "Writing…" : "Write folders"}
        </button>
        <p role="status" class="done">{state !== "busy" && state}</p>
      </form>
    </section>
  );
}
