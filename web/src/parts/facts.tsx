// What an enlarged picture carries: where it is, when and by what it was taken; and the way to more like it.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Facts } from "../api/types";
import { complain, showToast } from "../state/toasts";
import { worded } from "../state/words";

export function PictureFacts({ id, onLeave }: { id: number; onLeave: () => void }) {
  const [facts, setFacts] = useState<Facts | null>(null);
  useEffect(() => {
    let gone = false;
    api.facts(id).then(
      (found) => gone || setFacts(found),
      () => gone || setFacts(null), // the picture is shown without
    );
    return () => {
      gone = true;
    };
  }, [id]);
  const known = facts?.id === id ? facts : null;
  return (
    <div class="facts">
      <dl>
        <Fact label="File" value={known?.path} />
        <Fact label="Taken" value={known?.taken?.slice(0, 16)} />
        <Fact label="Camera" value={known?.camera} />
        <Fact label="Size" value={known && known.width > 0 ? `${known.width} × ${known.height}` : ""} />
        <Fact label={worded`Group`} value={known?.name} />
      </dl>
      <a class="button" href={`#/search/like/${id}`} onClick={onLeave}>
        More like this
      </a>
      {known && (
        <button type="button" onClick={() => void copy(known.full_path)}>
          Copy the path
        </button>
      )}
      {known?.can_reveal && (
        <button type="button" onClick={() => void reveal(id)}>
          Open the folder
        </button>
      )}
    </div>
  );
}

function Fact({ label, value }: { label: string; value: string | null | undefined }) {
  if (!value) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

async function reveal(id: number): Promise<void> {
  try {
    await api.reveal(id);
    showToast({ text: "The folder opens in the file manager", tone: "done" });
  } catch (error) {
    complain(error);
  }
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ text: "The path is copied", tone: "done" });
  } catch {
    complain(`The browser does not let the page copy: ${text}`);
  }
}
