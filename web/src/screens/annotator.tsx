// The page of somebody who was invited: the question, and nothing of what others do.
import { useEffect } from "preact/hooks";
import { useLetGo } from "../parts/focus";
import { Help } from "../parts/help";
import { Mark } from "../parts/icons";
import { useUndoKeys } from "../parts/keys";
import { Loading } from "../parts/loading";
import { OfflineNotice } from "../parts/offline-notice";
import { count } from "../parts/text";
import { Toasts } from "../parts/toasts";
import { listen, useBackOnline, useNews } from "../state/news";
import { dispatch, leave, loadProject, me, project } from "../state/session";
import { redo, undo } from "../state/undo";
import { QuestionView } from "./question";

export function AnnotatorApp() {
  useLetGo();
  useUndoKeys(
    () => void undo(),
    () => void redo(),
  );
  useEffect(() => {
    void loadProject();
    document.title = "Questions – likewise";
    return listen();
  }, []);
  useNews("changed", () => void loadProject());
  useBackOnline(() => void loadProject());
  useNews("indexing", (indexing) => dispatch({ type: "indexing", indexing }));
  const shown = project.value;
  return (
    <>
      <header class="top">
        <span class="brand">
          <Mark />
          <strong>likewise</strong>
          {shown && (
            <span class="folder quiet">
              <bdi>{shown.name}</bdi>
            </span>
          )}
        </span>
        <span class="spring" />
        {shown && <span class="pill mine">{count(shown.answers, "answer")} of yours</span>}
        <span class="me">
          <bdi>{me.value?.name}</bdi>
          <button type="button" class="small" onClick={() => void leave()}>
            Sign out
          </button>
        </span>
        <Help isAnnotator />
      </header>
      <OfflineNotice />
      <main id="main" tabIndex={-1}>
        {shown ? <QuestionView blind /> : <Loading what="Opening the project…" />}
      </main>
      <Toasts />
    </>
  );
}
