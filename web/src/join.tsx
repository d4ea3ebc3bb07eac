// Coming in: by a link with an invitation, or with the manager's token; and the frame of who was invited.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, onTrouble, Refused, type Me, type Project } from "./api";
import { Help } from "./help";
import { Mark } from "./icons";
import { useUndoKeys } from "./keys";
import { listen, useNews } from "./news";
import { QuestionView } from "./question";
import { complain, redo, takeBack, Toasts } from "./toast";
import { count, Loading } from "./ui";

/** The token is taken out of the address before anything else: it is in no history, and nobody reads it off the screen. */
function tokenOfAddress(): string {
  const token = decodeURIComponent(location.hash.slice(1));
  if (token) history.replaceState(null, "", "/join");
  return token;
}

export function Join() {
  const [token] = useState(tokenOfAddress);
  const [problem, setProblem] = useState("");
  const [trying, setTrying] = useState(token !== "");
  const enter = (shown: string) => {
    setTrying(true);
    api.join(shown).then(
      () => location.replace("/"),
      (error: unknown) => {
        setProblem(error instanceof Refused ? error.message : "The server does not answer.");
        setTrying(false);
      },
    );
  };
  useEffect(() => {
    if (token) enter(token);
  }, []);
  useEffect(() => {
    document.title = "Sign in – likewise";
  }, []);
  return <Outside>{trying ? <Loading what="Signing you in…" /> : <SignIn problem={problem} onToken={enter} />}</Outside>;
}

/** The frame before the door. */
export function Outside({ children }: { children: ComponentChildren }) {
  return (
    <>
      <header class="top">
        <span class="brand">
          <Mark />
          <strong>likewise</strong>
        </span>
      </header>
      <main id="main" tabIndex={-1}>{children}</main>
    </>
  );
}

export function SignIn({ problem, onToken }: { problem: string; onToken: (token: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <section class="centre signin" aria-labelledby="signin-title">
      <h1 id="signin-title">Sign in</h1>
      {problem && <p class="warning" role="alert">{sentence(problem)}</p>}
      <p>Were you invited? Open the link you were sent; ask for a new one where it is no longer good.</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = field.current?.value.trim() ?? "";
          if (typed) onToken(typed.slice(typed.indexOf("#") + 1)); // a whole link will do
        }}
      >
        <label class="field">
          Token or link
          <input ref={field} type="password" autocomplete="off" maxLength={600} />
        </label>
        <button class="primary">Sign in</button>
      </form>
    </section>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

/** Leave: whoever comes next at this machine has to sign in. */
export async function leave(): Promise<void> {
  try {
    await api.leave();
    location.replace("/");
  } catch (error) {
    complain(error);
  }
}

/** What somebody sees who was invited: the question, and nothing of what others do. */
export function AnnotatorApp({ me }: { me: Me }) {
  const [project, setProject] = useState<Project | null>(null);
  const [offline, setOffline] = useState(false);
  const load = () => api.project().then(setProject, complain);
  useUndoKeys(() => void takeBack(), () => void redo());
  useEffect(() => {
    void load();
    document.title = "Questions – likewise";
    return listen();
  }, []);
  useEffect(() => onTrouble(setOffline), []);
  useNews("online", (online) => setOffline(!online));
  useNews("changed", () => void load());
  useNews("indexing", (indexing) => setProject((now) => now && { ...now, indexing }));
  return (
    <>
      <header class="top">
        <span class="brand">
          <Mark />
          <strong>likewise</strong>
          {project && <span class="folder quiet"><bdi>{project.name}</bdi></span>}
        </span>
        <span class="spring" />
        {project && <span class="pill mine">{count(project.answers, "answer")} of yours</span>}
        <span class="me">
          <bdi>{me.name}</bdi>
          <button class="small" onClick={() => void leave()}>Sign out</button>
        </span>
        <Help settings={project?.settings} alone />
      </header>
      {offline && (
        <p class="offline" role="alert">
          The server does not answer. What you said is kept here and sent again.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {project ? <QuestionView settings={project.settings} blind /> : <Loading what="Opening the project…" />}
      </main>
      <Toasts />
    </>
  );
}
