// Search: by name, tag and file, by example, by another file, and by words where the model knows them.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Found, FoundPicture } from "../api/types";
import { AskOnly, Filters } from "../parts/filters";
import { NameSearch } from "../parts/name-search";
import { Picture } from "../parts/picture";
import { Segmented } from "../parts/segmented";
import { StackCount } from "../parts/stack";
import { TagLine } from "../parts/tag-line";
import { count } from "../parts/text";
import { Zoom } from "../parts/zoom";
import { isEmpty, queryOf, wanted } from "../state/filters";
import { complain } from "../state/toasts";
import { worded } from "../state/words";

const PAGE = 200;
const SENT = 512; // pixels of a dropped picture that are sent: more than any model looks at
const WAYS = [
  ["text", "Name, tag or file"],
  ["words", "What they show"],
] as const;
type Way = (typeof WAYS)[number][0];

interface Dropped {
  name: string;
  picture: string;
}

/** Pictures like one of them (`like`), like a dropped one, or that a filter and words find. */
export function SearchView({ like }: { like: number | null }) {
  const filter = wanted.value;
  const [way, setWay] = useState<Way>("text");
  const [words, setWords] = useState("");
  const [knowsWords, setKnowsWords] = useState(false);
  const [dropped, setDropped] = useState<Dropped | null>(null);
  const [zoomed, setZoomed] = useState<number | null>(null);
  useEffect(() => void api.words().then((found) => setKnowsWords(found.words), complain), []);
  useEffect(() => {
    if (like !== null) setDropped(null);
  }, [like]);
  const byWords = way === "words" && like === null && !dropped ? words : "";
  const { found, isCurrent, more } = useFound(like, dropped, byWords);
  const drop = useDrop((next) => {
    setDropped(next);
    if (like !== null) location.hash = "#/search";
  });
  const ids = found?.pictures.map(({ id }) => id) ?? [];
  return (
    <section class="search" aria-labelledby="search-title" {...drop.handlers}>
      <div class="toolbar">
        <h1 id="search-title">Search</h1>
        <span class="quiet" role="status">
          {found && isCurrent
            ? `${count(found.total, "picture")}${like !== null || dropped || byWords ? ", most alike first" : ""}`
            : "Looking…"}
        </span>
        {like === null && !dropped && (
          <>
            {knowsWords && <Segmented label="Look for" value={way} options={WAYS} onChange={setWay} />}
            {way === "words" ? (
              <NameSearch key="words" label={worded`What the pictures show`} words={words} onWords={setWords} />
            ) : (
              <NameSearch
                key="text"
                label="Name, tag or file"
                words={filter.q}
                onWords={(q) => {
                  wanted.value = { ...filter, q };
                }}
              />
            )}
          </>
        )}
        <FileButton onFile={drop.take} />
        <Filters
          filter={filter}
          onFilter={(next) => {
            wanted.value = next;
          }}
        />
        {!isEmpty(filter) && found && isCurrent && found.total > 1 && <AskOnly n={found.total} />}
      </div>
      {like !== null && <Example id={like} />}
      {dropped && <DroppedExample dropped={dropped} onClear={() => setDropped(null)} />}
      {found?.total === 0 && <p class="empty">{worded`No picture is like that.`}</p>}
      <ul class="found">
        {found?.pictures.map((each, k) => (
          <FoundTile key={each.id} found={each} onOpen={() => setZoomed(k)} />
        ))}
      </ul>
      {found && found.pictures.length < found.n_shown && !dropped && (
        <p class="row">
          <button type="button" onClick={more}>
            Show more of {found.n_shown.toLocaleString("en")}
          </button>
        </p>
      )}
      {drop.isOver && <p class="drop-here">{worded`Drop a picture to find others like it`}</p>}
      {zoomed !== null && (
        <Zoom ids={ids} at={zoomed} onClose={() => setZoomed(null)} below={(id) => <TagLine ids={[id]} />} />
      )}
    </section>
  );
}

/** What is found now, and a way to more of it; what was found before stays until then. */
function useFound(like: number | null, dropped: Dropped | null, words: string) {
  const [found, setFound] = useState<Found | null>(null);
  const [foundFor, setFoundFor] = useState("");
  const filter = wanted.value;
  const query = `${queryOf(filter)}${like === null ? "" : `&like=${like}`}${words && `&words=${encodeURIComponent(words)}`}`;
  const asked = useRef("");
  const what = dropped ? `${dropped.name}${dropped.picture.length}${query}` : query;
  const load = useCallback(
    (offset: number) => {
      asked.current = what;
      const answer = dropped ? api.likeFile(dropped.picture, filter, PAGE) : api.pictures(query, offset, PAGE);
      answer.then(
        (next) => {
          if (asked.current !== what) return;
          setFoundFor(what);
          setFound((now) => (offset && now ? { ...next, pictures: [...now.pictures, ...next.pictures] } : next));
        },
        (error: unknown) => {
          if (asked.current !== what) return;
          setFound({ total: 0, n_shown: 0, pictures: [] });
          complain(error);
        },
      );
    },
    [what],
  );
  useEffect(() => load(0), [load]);
  return { found, isCurrent: foundFor === what, more: () => load(found?.pictures.length ?? 0) };
}

function FoundTile({ found, onOpen }: { found: FoundPicture; onOpen: () => void }) {
  return (
    <li>
      <button type="button" class="found-tile" aria-label={`Enlarge ${found.path}`} title={found.path} onClick={onOpen}>
        <Picture id={found.id} alt="" />
      </button>
      {found.stack > 1 && <StackCount n={found.stack} />}
      {found.name && found.cluster !== null && (
        <a href={`#/clusters/${found.cluster}`}>
          <bdi>{found.name}</bdi>
        </a>
      )}
    </li>
  );
}

function Example({ id }: { id: number }) {
  return (
    <p class="example">
      <Picture id={id} alt="The example" />
      <span>{worded`Pictures that look like this one`}</span>
      <a class="button" href="#/search">
        Search all
      </a>
    </p>
  );
}

function DroppedExample({ dropped, onClear }: { dropped: Dropped; onClear: () => void }) {
  return (
    <p class="example">
      <img src={`data:image/jpeg;base64,${dropped.picture}`} alt="" />
      <span>
        {worded`Pictures that look like `}
        <bdi>{dropped.name}</bdi>, which is kept nowhere
      </span>
      <button type="button" onClick={onClear}>
        Search all
      </button>
    </p>
  );
}

function FileButton({ onFile }: { onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        Like a file…
      </button>
      <input
        ref={input}
        class="hidden"
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label={worded`A picture to find others like`}
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

/** A picture that is dropped on the screen, scaled down before it is sent. */
function useDrop(onDropped: (dropped: Dropped) => void) {
  const [isOver, setOver] = useState(false);
  const take = (file: File | undefined) => {
    setOver(false);
    if (!file) return;
    scaled(file).then(
      (picture) => onDropped({ name: file.name, picture }),
      () => complain(worded`This browser cannot read ${file.name} as a picture`),
    );
  };
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!isFile(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => event.currentTarget === event.target && setOver(false),
    onDrop: (event: DragEvent) => {
      if (!isFile(event)) return;
      event.preventDefault();
      take(event.dataTransfer?.files[0]);
    },
  };
  return { isOver, handlers, take };
}

async function scaled(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const factor = Math.min(1, SENT / Math.min(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * factor));
  canvas.height = Math.max(1, Math.round(bitmap.height * factor));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "white"; // under what is transparent, as the server does
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL("image/jpeg", 0.92).split(",")[1] ?? "";
}
