// Coming in by a link with an invitation.
import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import { api } from "../api/routes";
import { Loading } from "../parts/loading";
import { Outside, SignIn } from "../parts/sign-in";

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
  return (
    <Outside>{trying ? <Loading what="Signing you in…" /> : <SignIn problem={problem} onToken={enter} />}</Outside>
  );
}
