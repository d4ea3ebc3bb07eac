// The frame: where one is (the address after #), how far the pictures are read, and what went wrong.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Adjudicate } from "./adjudicate";
import { api, onTrouble, Refused, type Indexing, type Me, type Progress, type Project, type Settings } from "./api";
import { BrowseView } from "./browse";
import { ChangeDialog } from "./change";
import { ClusterView } from "./cluster";
import { Conflicts } from "./conflicts";
import { Export } from "./export";
import { GridView } from "./grid";
import { Help } from "./help";
import { Icon, Mark, type IconName } from "./icons";
import { AnnotatorApp, leave, Outside, SignIn } from "./join";
import { useUndoKeys } from "./keys";
import { MapView } from "./map";
import { listen, publish, useNews } from "./news";
import { ProgressView } from "./progress";
import { QuestionView } from "./question";
import { SettingsView } from "./settings";
import { TagsView } from "./tags";
import { TeamView } from "./team";
import { complain, redo, takeBack, Toasts } from "./toast";
import { count, Loading, percent } from "./ui";
import { WallView } from "./wall";

const TABS: readonly (readonly [path: string, label: string, icon: IconName])[] = [
  ["", "Questions", "question"],
  ["clusters", "Clusters", "clusters"],
  ["map", "Map", "map"],
  ["progress", "Progress", "progress"],
  ["tags", "Tags", "tags"],
  ["conflicts", "Conflicts", "conflicts"],
  ["team", "Team", "team"],
  ["export", "Export", "export"],
  ["settings", "Settings", "settings"],
];
const FIRST_TABS = 4; // these stay at hand on a phone, the others are under More
const REFRESH_MS = 1500;

const here = (): string[] => location.hash.replace(/^#\/?/, "").split("/");

/** Who is asking decides what there is to see; nobody is asked at the machine itself. */
export function App() {
  const [me, setMe] = useState<Me | null>(null);
  const [shut, setShut] = useState("");
  useEffect(() => {
    api.me().then(setMe, (error: unknown) => {
      if (error instanceof Refused && error.status === 401) setShut(error.message);
      else setMe({ role: "manager", name: "", signed_in: false, open: true }); // what is wrong is said below
    });
  }, []);
  if (shut) return <Shut why={shut} />;
  if (!me) return null;
  return me.role === "annotator" ? <AnnotatorApp me={me} /> : <ManagerApp me={me} />;
}

/** Somebody who is not signed in, or not any more. */
function Shut({ why }: { why: string }) {
  const first = why.startsWith("sign in first");
  const [problem, setProblem] = useState(first ? "" : why);
  const enter = (token: string) =>
    void api.join(token).then(() => location.reload(), (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  useEffect(() => {
    if (!first) void api.leave().catch(() => undefined); // a cookie that is no longer good
  }, []);
  return (
    <Outside>
      <SignIn problem={problem} onToken={enter} />
    </Outside>
  );
}

function ManagerApp({ me }: { me: Me }) {
  const where = useWhere();
  const { project, progress, refresh, choose } = useProject();
  const [offline, setOffline] = useState(false);
  useUndoKeys(() => void takeBack(), () => void redo());
  useNews("online", (online) => setOffline(!online));
  useNews("problem", ({ text }) => complain(text));
  useEffect(() => onTrouble(setOffline), []);
  useEffect(() => {
    if (!offline) return;
    const look = setInterval(() => api.project().then(() => publish("online", true), () => undefined), 2000);
    return () => clearInterval(look);
  }, [offline]);

  const [first = "", second = "", third = ""] = where;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="#/" title="To the questions">
          <Mark />
          <strong>likewise</strong>
          {project && <span class="folder quiet"><bdi>{project.folder}</bdi></span>}
        </a>
        <Tabs at={first} waiting={{ conflicts: progress?.conflicts ?? 0, team: progress?.disputes ?? 0 }} />
        {progress && (
          <a class="pill" href="#/progress" title="How far along">
            {count(progress.answers, "answer")} · {percent(progress.settled)} settled
          </a>
        )}
        {me.signed_in && <button class="small signout" onClick={() => void leave()}>Sign out</button>}
        <Help settings={project?.settings} />
      </header>
      {project && project.indexing.state === "reading" && <Reading indexing={project.indexing} />}
      {offline && (
        <p class="offline" role="alert">
          The server does not answer. What you said is kept here and sent again; start <code>likewise</code> again if it was stopped.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {!project && <Loading what="Opening the project…" />}
        {project && first === "" && <Start project={project} progress={progress} />}
        {first === "clusters" && second === "" && <WallView />}
        {first === "clusters" && second !== "" && third === "" && <ClusterView id={Number(second)} />}
        {first === "clusters" && third === "check" && <GridView cluster={Number(second)} />}
        {first === "browse" && <BrowseView />}
        {first === "tags" && <TagsView />}
        {first === "map" && <MapView />}
        {first === "progress" && <ProgressView />}
        {first === "conflicts" && <Conflicts onChange={refresh} />}
        {first === "team" && <TeamView me={me} onChange={refresh} />}
        {project && first === "adjudicate" && <Adjudicate settings={project.settings} onChange={refresh} />}
        {first === "export" && <Export />}
        {project && first === "settings" && <SettingsView settings={project.settings} onChoose={choose} onChange={refresh} />}
      </main>
      <ChangeDialog />
      <Toasts />
    </>
  );
}

/** The address, the title of the window, and the focus when a screen is left for another. */
function useWhere(): string[] {
  const [where, setWhere] = useState(here());
  useEffect(() => {
    const moved = () => {
      setWhere(here());
      if (!here().join("/").startsWith("clusters") || here().length > 1) scrollTo(0, 0);
      requestAnimationFrame(() => document.getElementById("main")?.focus({ preventScroll: true }));
    };
    addEventListener("hashchange", moved);
    if (here().join("/") !== where.join("/")) moved(); // gone on before anybody listened
    return () => removeEventListener("hashchange", moved);
  }, []);
  useEffect(() => {
    const tab = TABS.find(([path]) => path === (where[0] ?? ""));
    document.title = `${tab?.[1] ?? (where[0] === "browse" ? "Browse" : "Questions")} – likewise`;
  }, [where]);
  return where;
}

/** The project and how far it is, asked again after news but never in a flood. */
function useProject() {
  const [project, setProject] = useState<Project | null>(null);
  const [progress, setProgress] = useState<Progress | undefined>(undefined);
  const asked = useRef(0);
  const refresh = useCallback(() => {
    asked.current = 0;
    api.project().then(setProject, complain);
    api.progress().then(setProgress, () => undefined);
  }, []);
  const soon = () => {
    asked.current ||= window.setTimeout(refresh, REFRESH_MS);
  };
  useEffect(() => {
    refresh();
    return listen();
  }, [refresh]);
  useNews("clusters", soon);
  useNews("changed", soon);
  useNews("online", (online) => online && soon());
  useNews("indexing", (indexing) => {
    setProject((now) => now && { ...now, indexing });
    soon();
  });
  const choose = (changes: Partial<Settings>) => setProject((now) => now && { ...now, settings: { ...now.settings, ...changes } });
  return { project, progress, refresh, choose };
}

function Start({ project, progress }: { project: Project; progress?: Progress }) {
  const { state, total } = project.indexing;
  if (state === "done" && Math.max(total, project.n_images) < 2) {
    return (
      <section class="centre">
        <h1>{total ? "One picture is too few" : "No pictures here"}</h1>
        <p>
          In <bdi>{project.folder}</bdi> and below there {total ? "is one picture" : "are no pictures"} that could be read. Pictures
          that you put there are found within a minute; <a href="#/progress">what was passed over</a> is listed with the reasons.
        </p>
      </section>
    );
  }
  return <QuestionView settings={project.settings} stop={progress?.stop} />;
}

function Tabs({ at, waiting }: { at: string; waiting: Record<string, number> }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [at]);
  const later = TABS.slice(FIRST_TABS);
  const toDecide = Object.values(waiting).reduce((sum, n) => sum + n, 0);
  const current = (path: string) => at === path || (path === "clusters" && at === "browse");
  const link = ([path, label, icon]: (typeof TABS)[number]) => (
    <a key={path} href={`#/${path}`} aria-current={current(path) ? "page" : undefined} onClick={() => setOpen(false)}>
      <Icon name={icon} />
      <span>{label}</span>
      {(waiting[path] ?? 0) > 0 && <Badge n={waiting[path]!} />}
    </a>
  );
  return (
    <nav class="tabs" aria-label="Screens" onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
      {TABS.slice(0, FIRST_TABS).map(link)}
      <button class={later.some(([path]) => path === at) ? "more-tab on" : "more-tab"} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="more" />
        <span>More</span>
        {toDecide > 0 && <Badge n={toDecide} />}
      </button>
      <div class={open ? "later open" : "later"}>{later.map(link)}</div>
    </nav>
  );
}

function Badge({ n }: { n: number }) {
  return (
    <span class="badge">
      {n}
      <span class="hidden"> to decide</span>
    </span>
  );
}

function Reading({ indexing }: { indexing: Indexing }) {
  const left = indexing.rate > 0 ? Math.round((indexing.total - indexing.done) / indexing.rate) : null;
  return (
    <div class="reading">
      <label>
        <span>
          Reading pictures: {indexing.done.toLocaleString("en")} of {indexing.total.toLocaleString("en")}
          {left !== null && left > 0 && `, about ${left < 90 ? `${left} s` : `${Math.round(left / 60)} min`} left`}
        </span>
        <progress value={indexing.done} max={Math.max(1, indexing.total)} />
      </label>
    </div>
  );
}
