// One picture enlarged, in its own size or fitted, with the others an arrow key away.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { me } from "../state/session";
import { worded } from "../state/words";
import { PictureFacts } from "./facts";
import { Icon } from "./icons";
import { flawsOf, inPhotographs, Photograph, useFace } from "./photograph";
import { Picture } from "./picture";
import { Toasts } from "./toasts";

interface ZoomProps {
  ids: number[];
  at: number;
  names?: string[];
  onClose: () => void;
  /** What else belongs to the picture in sight. */
  below?: (id: number) => ComponentChildren;
}

export function Zoom({ ids, at, names, onClose, below }: ZoomProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState(at);
  const [whole, setWhole] = useState(true);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  const step = (by: number) => setShown((now) => (now + by + ids.length) % ids.length);
  const fit = () => setWhole((now) => !now);
  const [inPhotograph, setInPhotograph] = useState(inPhotographs.peek());
  const turn = () => setInPhotograph((now) => !now);
  const id = ids[shown] ?? -1;
  const name = names?.[shown] ?? worded`Picture`;
  const face = useFace(id);
  const down = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else if (event.key.toLowerCase() === "z") close();
    else if (event.key.toLowerCase() === "f") fit();
    else if (event.key.toLowerCase() === "p" && face) turn();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <dialog class="zoom" ref={dialog} onClose={onClose} onKeyDown={down} aria-label={`Enlarged: ${name}`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the picture is a short way to Close */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape and Z close it by keyboard */}
      <div
        class={whole ? "stage whole" : "stage"}
        tabIndex={whole ? -1 : 0}
        onClick={(event) => event.target === event.currentTarget && close()}
      >
        {face && inPhotograph ? (
          <Photograph face={face} id={id} alt={name} />
        ) : (
          <Picture id={id} size="full" alt={name} />
        )}
      </div>
      {below && (
        // biome-ignore lint/a11y/noStaticElementInteractions: what is typed here is not for the keys of the dialog
        <div class="below-picture" onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}>
          {below(id)}
        </div>
      )}
      {me.value?.role === "manager" && <PictureFacts id={id} onLeave={close} />}
      <div class="bar">
        <span class="name">
          {name}
          {face && face.flaws.length > 0 && <span class="quiet"> · {flawsOf(face)}</span>}
        </span>
        {ids.length > 1 && <Steps onStep={step} />}
        {face && (
          <button type="button" onClick={turn} aria-pressed={inPhotograph}>
            Photograph <kbd>P</kbd>
          </button>
        )}
        <button type="button" onClick={fit} aria-pressed={!whole}>
          Own size <kbd>F</kbd>
        </button>
        <button type="button" autofocus onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
      {/* those of the page are behind the dialog */}
      <Toasts />
    </dialog>
  );
}

function Steps({ onStep }: { onStep: (by: number) => void }) {
  return (
    <>
      <button
        type="button"
        class="icon"
        onClick={() => onStep(-1)}
        aria-label="The one before"
        title="The one before (←)"
      >
        <Icon name="left" />
      </button>
      <button type="button" class="icon" onClick={() => onStep(1)} aria-label="The next one" title="The next one (→)">
        <Icon name="right" />
      </button>
    </>
  );
}
