// A study: read what it is about, answer one question at a time, say what was easier.
import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api/routes";
import { type StudyRoutes, studyRoutes } from "../api/study";
import type { StudyState } from "../api/types";
import { Loading } from "../parts/loading";
import { Frame, NotHere, Thanks } from "../parts/participant-frame";
import { count } from "../parts/text";
import { forgetName, useParticipation } from "../state/participant";
import { dispatch } from "../state/session";
import { complain } from "../state/toasts";
import { Introduction, Part } from "./study-introduction";
import { StudyAsking } from "./study-question";
import { Survey } from "./study-survey";

export function StudyPage({ name }: { name: string }) {
  const routes = useMemo(() => studyRoutes(name), [name]);
  const { now, setNow, wrong, load } = useParticipation(routes.state);
  const [round, setRound] = useState(0); // of somebody else who sits down: all is announced anew
  useEffect(() => {
    api.project().then(
      (project) => dispatch({ type: "project", project }), // the keys are the project's
      () => undefined,
    );
  }, []);
  const run = async (request: () => Promise<StudyState>) => {
    try {
      setNow(await request());
    } catch (error) {
      complain(error);
      await load();
    }
  };
  const changePerson = () => {
    forgetName();
    setRound(round + 1);
    void load();
  };
  const progress = now ? { done: now.answered, total: now.total } : {};
  return (
    <Frame title="Study" {...progress} onOther={now && now.state !== "new" ? changePerson : undefined}>
      {wrong !== null && <NotHere what="study" error={wrong} />}
      {wrong === null && !now && <Loading what="Opening the study…" />}
      {wrong === null && now && <Stage key={round} study={now} routes={routes} run={run} />}
    </Frame>
  );
}

interface StageProps {
  study: StudyState;
  routes: StudyRoutes;
  run: (request: () => Promise<StudyState>) => Promise<void>;
}

/** What the participant does now: read, get ready, answer, compare, be thanked. */
function Stage({ study, routes, run }: StageProps) {
  const [ready, setReady] = useState(""); // the part of the study that was announced
  const { question } = study;
  const part = question ? `${question.kind} ${question.practice}` : "";
  const back = () => run(routes.back);
  if (question && ready !== part) {
    return <Part question={question} study={study} onGo={() => setReady(part)} onBack={() => void back()} />;
  }
  if (question) {
    return (
      <StudyAsking
        key={question.number}
        question={question}
        study={study}
        onAnswer={(form) => run(() => routes.answer(form))}
        onBack={back}
      />
    );
  }
  if (study.state === "new") return <Introduction study={study} onBegin={() => void run(routes.begin)} />;
  if (study.state === "survey") {
    return <Survey asked={study.survey} onSend={(form) => run(() => routes.survey(form))} onBack={() => void back()} />;
  }
  return (
    <Thanks>
      <p>Your {count(study.answered, "answer")} and what you said afterwards are kept. You can close this page.</p>
    </Thanks>
  );
}
