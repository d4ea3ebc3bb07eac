// A change of clusters, put to the person before it is made: what it would contradict, and what to take back for it.
import { useRef, useState } from "preact/hooks";
import { Refused } from "../api/refused";
import type { Cluster, Conflict } from "../api/types";
import { make, type OpenProposal, onlyChoices, openProposal } from "../state/change";
import { complain } from "../state/toasts";
import { Cover } from "./cover";
import { Dialog } from "./dialog";
import { isFact, isPartOfMore, StatementPair, whoSaid } from "./statement";
import { count, titleOf } from "./text";

export function ChangeDialog() {
  const proposal = openProposal.value;
  return proposal && <Ask key={proposal.title} proposal={proposal} />;
}

function Ask({ proposal }: { proposal: OpenProposal }) {
  const [breaks, setBreaks] = useState(proposal.breaks);
  const [chosen, setChosen] = useState<Record<number, number>>(onlyChoices(proposal.breaks));
  const [name, setName] = useState(commonName(proposal.clusters));
  const [again, setAgain] = useState(false);
  const busy = useRef(false);
  const ready = breaks.every((_, k) => chosen[k] !== undefined);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy.current || !ready) return;
    busy.current = true;
    const withdraw = [...new Set(Object.values(chosen))].filter((seq) => seq > 0);
    const twice = Object.values(chosen).includes(TWICE) ? { twice: true } : {};
    const renamed = proposal.clusters && name.trim() ? { name: name.trim() } : {};
    try {
      await make(proposal, { withdraw, ...twice, ...renamed });
      proposal.end(true);
    } catch (error) {
      if (error instanceof Refused && error.status === 409 && error.breaks.length) {
        setBreaks(error.breaks);
        setChosen(onlyChoices(error.breaks));
        setAgain(true);
      } else {
        complain(error);
        proposal.end(false);
      }
    } finally {
      busy.current = false;
    }
  };

  return (
    <Dialog title={proposal.title} wide onClose={() => proposal.end(false)}>
      <form onSubmit={submit}>
        {proposal.clusters && <Merging clusters={proposal.clusters} name={name} onName={setName} />}
        {breaks.length > 0 && <Warning breaks={breaks} again={again} />}
        {breaks.map((conflict, k) => (
          <Break
            key={k}
            conflict={conflict}
            number={k}
            chosen={chosen[k]}
            onChoose={(seq) => setChosen({ ...chosen, [k]: seq })}
          />
        ))}
        <div class="buttons">
          <button type="button" onClick={() => proposal.end(false)}>
            Cancel
          </button>
          <button type="submit" class="primary" aria-disabled={!ready} autofocus={!proposal.clusters}>
            {breaks.every(isOnlyFact) ? proposal.verb : `Take back and ${proposal.verb.toLowerCase()}`}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const TWICE = -1; // chosen: nothing is taken back, one person is twice in a photograph

const isOnlyFact = ({ chain }: Conflict): boolean => chain.every(isFact);

function Warning({ breaks, again }: { breaks: Conflict[]; again: boolean }) {
  const n = breaks.length;
  if (breaks.every(isOnlyFact)) {
    return (
      <p class="warning" role={again ? "alert" : undefined}>
        Two faces of one photograph would be one person. Nobody said that they differ; it is taken for granted, unless
        you know better.
      </p>
    );
  }
  return (
    <p class="warning" role={again ? "alert" : undefined}>
      {again ? "Something was said in the meantime. " : ""}
      This contradicts {n === 1 ? "an earlier answer" : `earlier answers, in ${n} ways`}. Say which was wrong; it is
      taken back.
    </p>
  );
}

function Merging({ clusters, name, onName }: { clusters: Cluster[]; name: string; onName: (name: string) => void }) {
  const total = clusters.reduce((sum, cluster) => sum + cluster.size, 0);
  const confirmed = clusters.filter((cluster) => cluster.confirmed).length;
  return (
    <>
      <ul class="merging">
        {clusters.map((cluster) => (
          <li key={cluster.id}>
            <Cover ids={cluster.cover} />
            <bdi title={cluster.name}>{titleOf(cluster)}</bdi>
          </li>
        ))}
      </ul>
      <label class="field">
        Name of the {count(total, "picture")} together
        <input
          value={name}
          maxLength={200}
          autofocus
          onInput={(event) => onName(event.currentTarget.value)}
          placeholder="No name yet"
        />
      </label>
      {confirmed > 0 && confirmed < clusters.length && (
        <p class="quiet">Not all of them are confirmed: together they are not, until you confirm them.</p>
      )}
    </>
  );
}

interface BreakProps {
  conflict: Conflict;
  number: number;
  chosen: number | undefined;
  onChoose: (seq: number) => void;
}

function Break({ conflict: { statement, chain }, number, chosen, onChoose }: BreakProps) {
  return (
    <fieldset class="break">
      <legend>
        You would say that these two are {statement.value === "same" ? "the same" : "different"}:
        <StatementPair statement={statement} />
      </legend>
      <p>{chain.every(isFact) ? "But they are:" : "It was said:"}</p>
      {chain.map((said, k) => (
        <label key={k} class="choice">
          <input
            type="radio"
            name={`break-${number}`}
            disabled={said.seq === 0 && !isFact(said)}
            checked={chosen === (isFact(said) ? TWICE : said.seq)}
            onChange={() => onChoose(isFact(said) ? TWICE : said.seq)}
          />
          <StatementPair statement={said} />
          <span class="quiet">
            {whoSaid(said)}
            {isPartOfMore(said) && " (all of it is taken back)"}
            {isFact(said) && ": here one person is in it twice, as in a mirror or a collage"}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const commonName = (clusters: Cluster[] = []): string =>
  [...clusters].sort((a, b) => b.size - a.size).find((cluster) => cluster.name)?.name ?? "";
