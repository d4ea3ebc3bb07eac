// Who is asking decides which page is shown.
import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import { Outside, SignIn } from "../parts/sign-in";
import { dispatch, me } from "../state/session";
import { AnnotatorApp } from "./annotator";
import { ManagerApp } from "./manager";

/** Nobody is asked who they are at the machine itself. */
export function App() {
  const [refusal, setRefusal] = useState("");
  useEffect(() => {
    api.me().then(
      (found) => dispatch({ type: "me", me: found }),
      (error: unknown) => {
        if (error instanceof Refused && error.status === 401) setRefusal(error.message);
        else dispatch({ type: "me", me: { role: "manager", name: "", signed_in: false, open: true } }); // what is wrong is said below
      },
    );
  }, []);
  if (refusal) return <NotSignedIn why={refusal} />;
  if (!me.value) return null;
  return me.value.role === "annotator" ? <AnnotatorApp /> : <ManagerApp />;
}

/** Somebody who is not signed in, or not any more. */
function NotSignedIn({ why }: { why: string }) {
  const isFirst = why.startsWith("sign in first");
  const [problem, setProblem] = useState(isFirst ? "" : why);
  const enter = (token: string) =>
    void api.join(token).then(
      () => location.reload(),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  useEffect(() => {
    if (!isFirst) void api.leave().catch(() => undefined); // a cookie that is no longer good
  }, []);
  return (
    <Outside>
      <SignIn problem={problem} onToken={enter} />
    </Outside>
  );
}
