// The page's own icons: strokes on a 24 × 24 field, in the colour of the text.

const PATHS = {
  question: "M4 5h7v10H4z M13 9h7v10h-7z",
  clusters: "M4 4h7v7H4z M13 4h7v7h-7z M4 13h7v7H4z M13 13h7v7h-7z",
  map: "M5 7h.01 M9 5h.01 M8 10h.01 M17 8h.01 M15 12h.01 M19 11h.01 M7 17h.01 M11 19h.01 M17 18h.01",
  conflicts: "M12 4 3 19h18z M12 10v4 M12 16.5v.01",
  progress: "M4 19h16 M5 15l4-4 3 3 7-8",
  team: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7 M3 20a6 6 0 0 1 12 0 M16 11a3 3 0 1 0-1-5.8 M17 14.5a5 5 0 0 1 4 5.5",
  export: "M12 15V4 M8 8l4-4 4 4 M5 14v5h14v-5",
  settings: "M4 7h9 M17 7h3 M4 17h3 M11 17h9 M15 5v4 M9 15v4",
  tags: "M4 4h7l9 9-7 7-9-9z M8 8v.01",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13 M15.5 15.5 20 20",
  more: "M5 12h.01 M12 12h.01 M19 12h.01",
  left: "M14 6l-6 6 6 6",
  right: "M10 6l6 6-6 6",
  check: "M5 13l4 4 10-11",
  close: "M6 6l12 12 M18 6 6 18",
  undo: "M8 6 4 10l4 4 M4 10h10a5 5 0 0 1 0 10h-3",
  redo: "M16 6l4 4-4 4 M20 10H10a5 5 0 0 0 0 10h3",
  stack: "M4 8h12v12H4z M8 8V4h12v12h-4",
  history: "M12 7v5l3 2 M4.5 9A8 8 0 1 1 4 12 M4 5v4h4",
  edit: "M5 19l1-4L16 5l3 3L9 18z",
  plus: "M12 5v14 M5 12h14",
  minus: "M5 12h14",
  enlarge: "M14 4h6v6 M10 20H4v-6 M20 4l-7 7 M4 20l7-7",
  help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2 M12 17.5v.01",
} as const;

export type IconName = keyof typeof PATHS;
const DOTTED: IconName[] = ["map", "more"];

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="glyph" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width={DOTTED.includes(name) ? 3 : 1.8}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 16" width="30" height="20" aria-hidden="true" focusable="false">
      <circle cx="8" cy="8" r="7" fill="var(--same)" />
      <circle cx="16" cy="8" r="7" fill="var(--different)" fill-opacity="0.82" />
    </svg>
  );
}
