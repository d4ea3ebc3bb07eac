// The manager's page: the screens, how far the pictures are read, and what went wrong.
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { Indexing, Project, Skipped } from "../api/types";
import { ChangeDialog } from "../parts/change-dialog";
import { useLetGo } from "../parts/focus";
import { Help } from "../parts/help";
import { Mark } from "../parts/icons";
import { useUndoKeys } from "../parts/keys";
import { Loading } from "../parts/loading";
import { OfflineNotice } from "../parts/offline-notice";
import { Tabs } from "../parts/tabs";
import { count, percent } from "../parts/text";
import { Toasts } from "../parts/toasts";
import { useAddress } from "../state/address";
import { askOnly, focus, isEmpty, loadFocus, NO_FILTER, wordsOf } from "../state/filters";
import { listen, useBackOnline, useNews } from "../state/news";
import { dispatch, leave, me, progress, project, refresh } from "../state/session";
import { complain } from "../state/toasts";
import { redo, undo } from "../state/undo";
import { worded } from "../state/words";
import { BrowseView } from "./browse";
import { CheckView } from "./check";
import { ClusterView } from "./cluster";
import { ConflictsView } from "./conflicts";
import { DisagreementsView } from "./disagreements";
import { ExportView } from "./export";
import { FinishView } from "./finish";
import { HistoryView } from "./history";
import { MapView } from "./map";
import { ProgressView } from "./progress";
import { QuestionView } from "./question";
import { SearchView } from "./search";
import { SettingsView } from "./settings";
import { TagsView } from "./tags";
import { TeamView } from "./team";
import { WallView } from "./wall";

const REFRESH_MS = 1500;

export function ManagerApp() {
  const address = useAddress();
  useSession();
  useLetGo();
  useUndoKeys(
    () => void undo(),
    () => void redo(),
  );
  useNews("problem", ({ text }) => complain(text));
  const indexing = project.value?.indexing;
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it goes to a part of the page, as the address after # names the screen */}
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Header screen={address[0] ?? ""} />
      {indexing?.state === "reading" && <Reading indexing={indexing} />}
      {project.value?.too_large && <p class="warning">{project.value.too_large}.</p>}
      <OfflineNotice>
        ; start <code>likewise</code> again if it was stopped
      </OfflineNotice>
      <main id="main" tabIndex={-1}>
        {!project.value && <Loading what="Opening the project…" />}
        <Screen address={address} project={project.value} />
      </main>
      <ChangeDialog />
      <Toasts />
    </>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** The project and how far it is, loaded again after news but never in a flood. */
function useSession(): void {
  const timer = useRef(0);
  const refreshSoon = () => {
    timer.current ||= window.setTimeout(() => {
      timer.current = 0;
      refresh();
    }, REFRESH_MS);
  };
  useEffect(() => {
    refresh();
    return listen();
  }, []);
  useNews("clusters", refreshSoon);
  useNews("changed", refreshSoon);
  useBackOnline(refreshSoon);
  useNews("indexing", (indexing) => {
    dispatch({ type: "indexing", indexing });
    refreshSoon();
  });
}

function Header({ screen }: { screen: string }) {
  const now = progress.value;
  return (
    <header class="top">
      <a class="brand" href="#/" title={`To the questions${project.value ? ` of ${project.value.folder}` : ""}`}>
        <Mark />
        <strong>likewise</strong>
        {project.value && (
          <span class="folder quiet">
            <bdi>{project.value.folder}</bdi>
          </span>
        )}
      </a>
      <Tabs at={screen} waiting={{ conflicts: now?.conflicts ?? 0, team: now?.disputes ?? 0 }} />
      {now && (
        <a class="pill" href="#/progress" title="How far along">
          {count(now.answers, "answer")} · {percent(now.settled)} settled
        </a>
      )}
      {me.value?.signed_in && (
        <button type="button" class="small signout" onClick={() => void leave()}>
          Sign out
        </button>
      )}
      <Help />
    </header>
  );
}

function Screen({ address: [screen = "", id = "", part = ""], project: found }: ScreenProps) {
  switch (screen) {
    case "":
      return found && <Questions project={found} />;
    case "clusters":
      if (part === "check") return <CheckView cluster={Number(id)} />;
      return id === "" ? <WallView /> : <ClusterView id={Number(id)} />;
    case "finish":
      return <FinishView />;
    case "browse":
      return <BrowseView />;
    case "search":
      return <SearchView like={id === "like" && part !== "" ? Number(part) : null} />;
    case "tags":
      return <TagsView />;
    case "map":
      return <MapView />;
    case "progress":
      return <ProgressView />;
    case "conflicts":
      return <ConflictsView />;
    case "history":
      return <HistoryView />;
    case "team":
      return <TeamView />;
    case "adjudicate":
      return found && <DisagreementsView />;
    case "export":
      return <ExportView />;
    case "settings":
      return found && <SettingsView settings={found.settings} />;
    default:
      return null;
  }
}

interface ScreenProps {
  address: string[];
  project: Project | null;
}

function Questions({ project: { folder, indexing, n_images, of_faces } }: { project: Project }) {
  const { state, total } = indexing;
  const enough = of_faces ? total > 0 : Math.max(total, n_images) >= 2; // one photograph may have many faces
  if (state !== "done" || enough)
    return (
      <>
        <FocusNotice />
        <NotRead />
        <QuestionView stop={progress.value?.stop} />
      </>
    );
  return (
    <section class="centre">
      <h1>{total ? worded`One picture is too few` : worded`No pictures here`}</h1>
      <p>
        In <bdi>{folder}</bdi> and below there {total ? worded`is one picture` : worded`are no pictures`}
        {worded` that could be read. Pictures that you put there are found within a minute; `}
        <a href="#/progress">what was passed over</a> is listed with the reasons.
      </p>
    </section>
  );
}

/** That only some pictures are asked about, and the way back to all. */
function FocusNotice() {
  useEffect(() => void loadFocus(), []);
  if (!focus.value || isEmpty(focus.value.wanted)) return null;
  return (
    <p class="focused" role="status">
      <span>
        Asking only about {count(focus.value.total, "picture")}: <bdi>{wordsOf(focus.value.wanted)}</bdi>
      </span>
      <button type="button" class="small" onClick={() => void askOnly(NO_FILTER)}>
        Ask about all
      </button>
    </p>
  );
}

/** What lies in the folder and is not asked about, by kind: nobody is to think that all of it was read. */
function NotRead() {
  const [files, setFiles] = useState<Skipped[]>([]);
  const isDone = project.value?.indexing.state === "done";
  useEffect(() => {
    if (isDone) api.skipped().then(setFiles, () => undefined);
  }, [isDone]);
  const kinds = new Map<string, number>();
  for (const { reason } of files) kinds.set(reason, (kinds.get(reason) ?? 0) + 1);
  if (!kinds.size) return null;
  const most = [...kinds].sort(([, a], [, b]) => b - a).slice(0, 2);
  return (
    <p class="not-read quiet">
      {count(files.length, "file")} not read: {most.map(([reason, n]) => `${n} × ${reason}`).join("; ")}
      {kinds.size > 2 && "; …"} <a href="#/progress">All of them</a>
    </p>
  );
}

function Reading({ indexing }: { indexing: Indexing }) {
  const left = indexing.rate > 0 ? Math.round((indexing.total - indexing.done) / indexing.rate) : null;
  return (
    <div class="reading">
      <label>
        <span>
          {worded`Reading pictures: `}
          {indexing.total > 0 ? `${indexing.done.toLocaleString("en")} of ${indexing.total.toLocaleString("en")}` : "…"}
          {left !== null && left > 0 && `, about ${left < 90 ? `${left} s` : `${Math.round(left / 60)} min`} left`}
        </span>
        <progress value={indexing.done} max={Math.max(1, indexing.total)} />
      </label>
    </div>
  );
}
