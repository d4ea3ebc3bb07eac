// The form to sign in with a token or a link.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Mark } from "./icons";

/** The frame for people who are not signed in. */
export function Outside({ children }: { children: ComponentChildren }) {
  return (
    <>
      <header class="top">
        <span class="brand">
          <Mark />
          <strong>likewise</strong>
        </span>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

export function SignIn({ problem, onToken }: { problem: string; onToken: (token: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <section class="centre signin" aria-labelledby="signin-title">
      <h1 id="signin-title">Sign in</h1>
      {problem && (
        <p class="warning" role="alert">
          {sentence(problem)}
        </p>
      )}
      <p>Were you invited? Open the link you were sent; ask for a new one where it is no longer good.</p>
      <p class="quiet">Did you start likewise here? Open the address that the terminal shows.</p>
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
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </section>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
