// The whole photograph that a face is in, with the face framed.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { api, picture } from "../api/routes";
import type { Face } from "../api/types";
import { ofFaces } from "../state/words";

const known = new Map<number, Face>();

/** Whether questions show whole photographs in place of the faces. */
export const inPhotographs = signal(false);

/** Where a face is; null until that is known, and for what is no face. */
export function useFace(id: number): Face | null {
  const [face, setFace] = useState<Face | null>(known.get(id) ?? null);
  const on = ofFaces.value && id >= 0;
  useEffect(() => {
    setFace(known.get(id) ?? null);
    if (!on || known.has(id)) return;
    let gone = false;
    api.face(id).then(
      (found) => {
        known.set(id, found);
        if (!gone) setFace(found);
      },
      () => undefined, // it is left without a frame
    );
    return () => {
      gone = true;
    };
  }, [id, on]);
  return face;
}

/** Drawn as one picture, so that the frame is on the face in whatever size it is shown. */
export function Photograph({ face, id, alt }: { face: Face; id: number; alt: string }) {
  const { width, height } = face;
  const [left = 0, top = 0, w = 0, h = 0] = face.box;
  const line = Math.max(width, height) / 160;
  const box = { x: left * width, y: top * height, width: w * width, height: h * height, rx: line };
  return (
    <svg class="photograph" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${alt} in its photograph`}>
      <image href={picture(id, "photograph")} width={width} height={height} preserveAspectRatio="none" />
      <rect {...box} class="around" style={{ strokeWidth: line * 2 }} />
      <rect {...box} class="on-face" style={{ strokeWidth: line }} />
    </svg>
  );
}

/** Why a face is hardly to be recognised, in words. */
export const flawsOf = (face: Face | null): string =>
  face?.flaws.length ? `Hardly to be recognised: ${face.flaws.join(", ")}` : "";
