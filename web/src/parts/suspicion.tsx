// People who are not counted, and why.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { NotCounted } from "../api/types";
import { useNews } from "../state/news";
import { complain } from "../state/toasts";

const LOOKS: Record<string, string> = {
  opposite: "says the opposite of what others say",
  "always same": "says same nearly always",
  "always different": "says different nearly always",
  random: "answers as if at random",
};

/** What somebody's answers look like, with the evidence. */
export const why = ({ suspicion, tested, wrong }: Omit<NotCounted, "name">): string =>
  `${LOOKS[suspicion]}. Of ${Math.round(tested)} answers that others speak to, ${Math.round(wrong)} look wrong`;

/** How far somebody is left out: on pairs that others answered too, all but who says the opposite count a little. */
export const uncounted = ({ suspicion }: Pick<NotCounted, "suspicion">): string =>
  suspicion === "opposite" ? "not counted" : "not counted where nobody else answered";

/** Those who are not counted, kept up to date. */
export function useNotCounted(): NotCounted[] {
  const [people, setPeople] = useState<NotCounted[]>([]);
  const load = () => void api.notCounted().then(setPeople, complain);
  useEffect(load, []);
  useNews("clusters", load);
  return people;
}

/** A line for each of those who are not counted. */
export function NotCountedPeople({ people }: { people: NotCounted[] }) {
  if (!people.length) return null;
  return (
    <section class="box" aria-label="Not counted">
      {people.map((person) => (
        <p key={person.name}>
          <strong>
            <bdi>{person.name || "somebody"}</bdi> is {uncounted(person)}:
          </strong>{" "}
          {why(person)}. Whatever of that contradicts others is not listed here.
        </p>
      ))}
      <p class="quiet">
        The answers are kept, and count again when later ones say otherwise. <a href="#/team">Team</a> takes all of
        somebody back.
      </p>
    </section>
  );
}
