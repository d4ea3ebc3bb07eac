// What goes out: every format with what it is for, and folders on this machine.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Format } from "../api/types";
import { Loading } from "../parts/loading";
import { count } from "../parts/text";
import { complain } from "../state/toasts";
import { worded } from "../state/words";

const MODES = [
  ["copy", "Copies"],
  ["hardlink", "Hard links (no room needed, same disk)"],
  ["symlink", "Symbolic links"],
] as const;

export function ExportView() {
  const [formats, setFormats] = useState<Format[]>();
  const [isAtMachine, setAtMachine] = useState(false);
  useEffect(() => {
    api.formats().then(setFormats, complain);
    api.me().then((me) => setAtMachine(!me.signed_in), complain);
  }, []);
  return (
    <section class="export" aria-labelledby="export-title">
      <div class="toolbar">
        <h1 id="export-title">Export</h1>
        <span class="quiet">{worded`Your pictures are never changed or moved.`}</span>
      </div>
      {!formats && <Loading what="Looking what can be written…" />}
      {formats && (
        <ul class="formats box" aria-label="Formats">
          {formats.map((format) => (
            <FormatLine key={format.name} format={format} />
          ))}
        </ul>
      )}
      {formats && isAtMachine && <Folders />}
    </section>
  );
}

function FormatLine({ format }: { format: Format }) {
  const [pictures, setPictures] = useState(false);
  const suffix = format.suffix.slice(1).toUpperCase();
  const query = new URLSearchParams({ format: format.name });
  if (pictures) query.set("pictures", "true");
  return (
    <li>
      <div>
        <h2>{format.title}</h2>
        <p class="quiet">{format.about}</p>
        {format.options.includes("pictures") && (
          <label class="with-pictures">
            <input type="checkbox" checked={pictures} onChange={(event) => setPictures(event.currentTarget.checked)} />
            {worded`with the pictures themselves`}
          </label>
        )}
      </div>
      <a class="button" href={`/api/export?${query}`} download aria-label={`Download ${suffix}: ${format.title}`}>
        Download {suffix}
      </a>
    </li>
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
      <h2 id="as-folders">{worded`A folder for each cluster, on the machine that likewise runs on`}</h2>
      <form onSubmit={submit}>
        <label class="field">
          Where to
          <input
            value={target}
            required
            placeholder="/home/you/sorted"
            spellcheck={false}
            onInput={(event) => setTarget(event.currentTarget.value)}
          />
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
        <p role="status" class="done">
          {state !== "busy" && state}
        </p>
      </form>
    </section>
  );
}
