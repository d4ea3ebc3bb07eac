"""The tables of a study of pairs and triplets: times, preferences and confusions, from its tidy export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from likewise.cells import read_csv

ANSWERS = {"pair": ("different", "same"), "triplet": ("none", "ab", "ac", "bc")}
SIGNS = {"different": "CL", "same": "ML", "none": "ow", "ab": "ab|c", "ac": "ac|b", "bc": "bc|a", "unsure": "not sure"}
GROUPS = {
    "pair": {"all": ("different", "same", "unsure"), "ML": ("same",), "CL": ("different",)},
    "triplet": {"all": ("none", "ab", "ac", "bc", "unsure"), "two of three": ("ab", "ac", "bc"), "ow": ("none",)},
}
# The question, its name in the table, and whether the table inverts it: asked is "more effort", shown is "less".
FACTORS = {
    "performance": ("Better performance", False),
    "effort_per_query": ("Less effort per query", True),
    "overall_effort": ("Less effort for all queries", True),
    "frustration": ("Less frustration", True),
    "preference": ("Overall preference", False),
}
CHOICES = ("pair", "triplet", "neither")
ANSWER_COLUMNS = (
    "study",
    "person",
    "order",
    "kind",
    "a",
    "b",
    "c",
    "answer",
    "truth",
    "seconds",
    "away",
    "when",
    "practice",
    "taken_back",
)
SURVEY_COLUMNS = ("study", "person", "question", "answer", "comment", "when")


@dataclass(frozen=True)
class StudyAnswer:
    """One answer of a study, as the tables need it; clusters need the names of its items too."""

    study: str
    person: str
    kind: str
    answer: str
    truth: str | None
    seconds: float | None
    items: tuple[str, ...] = ()
    when: str = ""


@dataclass(frozen=True)
class Table:
    """A table to be shown: a title, the heads of its columns, and rows of text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """The table in Markdown."""
        lines = [self.columns, ("---",) * len(self.columns), *self.rows]
        cells = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        return "\n".join([f"**{self.title}**", "", *cells])


def read_study(path: str | Path) -> list[StudyAnswer]:
    """Read the answers of a study from its tidy table; practice is left out.

    Parameters
    ----------
    path : str or Path
        What ``likewise study export`` wrote; of its columns study, person, kind, answer, truth, seconds, practice, a,
        b, c and when are used, all but the first four where they are there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("study,person,kind,answer,truth,seconds\\ns1,ann,pair,same,different,1.5\\n")
    ...     file.flush()
    ...     answers = read_study(file.name)
    >>> answers == [StudyAnswer("s1", "ann", "pair", "same", "different", 1.5)]
    True
    """
    found = []
    for line, row in _rows(path, ("study", "person", "kind", "answer")):
        kind, answer, truth = row["kind"], row["answer"], row.get("truth") or None
        if kind not in ANSWERS:
            raise ValueError(f"{path}, line {line}: a question is a pair or a triplet, not {kind!r}")
        if answer not in (*ANSWERS[kind], "unsure") or truth not in (*ANSWERS[kind], None):
            raise ValueError(f"{path}, line {line}: {answer!r} or {truth!r} is no answer to a {kind}")
        try:
            seconds = float(row["seconds"]) if row.get("seconds") else None
        except ValueError:
            raise ValueError(f"{path}, line {line}: {row['seconds']!r} is no number of seconds") from None
        if row.get("practice") not in ("1", "true", "True"):
            items = tuple(row[key] for key in "abc" if row.get(key))
            found.append(
                StudyAnswer(row["study"], row["person"], kind, answer, truth, seconds, items, row.get("when", ""))
            )
    return found


def read_survey(path: str | Path) -> list[tuple[str, str, str]]:
    """Read the survey of a study from its tidy table: who chose what, as (person, question, choice).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("study,person,question,answer\\ns1,ann,preference,pair\\n")
    ...     file.flush()
    ...     read_survey(file.name)
    [('ann', 'preference', 'pair')]
    """
    found = []
    for line, row in _rows(path, ("person", "question", "answer")):
        if row["question"] not in FACTORS:
            continue  # the comment, or a question of somebody's own
        if row["answer"] not in CHOICES:
            raise ValueError(f"{path}, line {line}: a choice is one of {', '.join(CHOICES)}")
        found.append((row["person"], row["question"], row["answer"]))
    return found


def time_table(answers: Iterable[StudyAnswer]) -> dict[str, dict[str, dict[str, Any]]]:
    """Seconds an answer, for each form and what was answered: mean and deviation over people of their own means.

    Parameters
    ----------
    answers : iterable of StudyAnswer
        Of one study. Those without a time are left out.

    Returns
    -------
    dict
        ``table["pair"]["ML"]`` has ``mean``, ``std`` (n - 1 in the denominator, None for one person), ``people`` and
        ``answers``; groups are by the answer: all, ML, CL; all, two of three, ow.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision*, 2017, Table 3.6. That ± is over people, and that groups are by the
    answer, is not given there; it follows from the printed figures (docs/studies.md).

    Examples
    --------
    >>> rows = [("ann", "same", 2.0), ("ann", "different", 1.0), ("bob", "same", 4.0)]
    >>> table = time_table(StudyAnswer("s", who, "pair", answer, None, s) for who, answer, s in rows)
    >>> table["pair"]["all"]["mean"], table["pair"]["ML"]["mean"], table["pair"]["CL"]["people"]
    (2.75, 3.0, 1)
    """
    timed = [each for each in answers if each.seconds is not None]
    return {
        form: {
            group: _spread([each for each in timed if each.kind == form and each.answer in values])
            for group, values in groups.items()
        }
        for form, groups in GROUPS.items()
    }


def preference_table(survey: Iterable[tuple[str, str, str]]) -> dict[str, dict[str, int]]:
    """How many people favoured which form, factor by factor; a person's last word counts.

    Effort and frustration are asked as *more* and shown as *less*: who spent more on triplets is counted for pairs.

    Parameters
    ----------
    survey : iterable of (person, question, choice)
        See :func:`read_survey`.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision*, 2017, §3.5.1.4 and Table 3.7.

    Examples
    --------
    >>> table = preference_table([("ann", "frustration", "triplet"), ("ann", "preference", "pair")])
    >>> table["frustration"], table["preference"]
    ({'pair': 1, 'triplet': 0, 'neither': 0}, {'pair': 1, 'triplet': 0, 'neither': 0})
    """
    last = {(person, question): choice for person, question, choice in survey}
    turned = {"pair": "triplet", "triplet": "pair", "neither": "neither"}
    table = {factor: dict.fromkeys(CHOICES, 0) for factor in FACTORS}
    for (_, question), choice in last.items():
        table[question][turned[choice] if FACTORS[question][1] else choice] += 1
    return table


def confusion_table(answers: Iterable[StudyAnswer], form: str) -> dict[str, Any]:
    """Answers against the truth: counts a person, averaged over people, and the accuracy.

    Parameters
    ----------
    answers : iterable of StudyAnswer
        Of one study; those whose truth is not known are left out.
    form : "pair" or "triplet"
        Which questions.

    Returns
    -------
    dict
        ``matrix[truth][answer]``; ``accuracy``, the share of right answers among the decided ones (None without any);
        ``people``. The column ``unsure`` is there when somebody was.

    References
    ----------
    Y. Pei, *Learning with Partial Supervision*, 2017, Tables 3.8 and 3.9.

    Examples
    --------
    >>> rows = [("ann", "same", "same"), ("ann", "same", "different"), ("bob", "different", "different")]
    >>> table = confusion_table([StudyAnswer("s", who, "pair", a, t, None) for who, a, t in rows], "pair")
    >>> table["matrix"]["different"], round(table["accuracy"], 3)
    ({'different': 0.5, 'same': 0.5}, 0.667)
    """
    known = [each for each in answers if each.kind == form and each.truth is not None]
    people = {each.person for each in known}
    values = ANSWERS[form]
    unsure = ("unsure",) if any(each.answer == "unsure" for each in known) else ()
    counts = {truth: dict.fromkeys((*values, *unsure), 0) for truth in values}
    for each in known:
        counts[str(each.truth)][each.answer] += 1
    decided = sum(counts[truth][value] for truth in values for value in values)
    right = sum(counts[value][value] for value in values)
    return {
        "matrix": {
            truth: {value: n / max(len(people), 1) for value, n in row.items()} for truth, row in counts.items()
        },
        "accuracy": right / decided if decided else None,
        "people": len(people),
    }


def study_tables(answers: Sequence[StudyAnswer], survey: Sequence[tuple[str, str, str]] = ()) -> dict[str, Any]:
    """Tables 3.6 to 3.9 of the source as plain data: ``times``, ``preferences`` and ``confusions`` of each study.

    Examples
    --------
    >>> tables = study_tables([StudyAnswer("s1", "ann", "pair", "same", "same", 2.0)])
    >>> tables["confusions"]["s1"]["pair"]["accuracy"], tables["preferences"]
    (1.0, None)
    """
    studies = {name: [each for each in answers if each.study == name] for name in _in_order(answers)}
    return {
        "times": {name: time_table(some) for name, some in studies.items()},
        "preferences": preference_table(survey) if survey else None,
        "people_asked": len({person for person, _, _ in survey}),
        "confusions": {name: {form: confusion_table(some, form) for form in ANSWERS} for name, some in studies.items()},
    }


def shown_tables(tables: Mapping[str, Any]) -> list[Table]:
    """The tables of :func:`study_tables` in words, in the order and form of the source."""
    shown = [_shown_times(tables["times"], form) for form in ANSWERS]
    if tables["preferences"] is not None:
        shown.append(_shown_preferences(tables["preferences"], tables["people_asked"]))
    for name, by_form in tables["confusions"].items():
        shown += [_shown_confusion(name, form, by_form[form]) for form in ANSWERS if by_form[form]["people"]]
    return shown


def _rows(path: str | Path, needed: Sequence[str]) -> Iterable[tuple[int, dict[str, str]]]:
    columns, rows = read_csv(path)
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ValueError(f"{path} needs the columns {', '.join(needed)}: {missing[0]} is missing")
    return rows


def _in_order(answers: Sequence[StudyAnswer]) -> list[str]:
    return list(dict.fromkeys(each.study for each in answers))


def _spread(answers: Sequence[StudyAnswer]) -> dict[str, Any]:
    by_person: dict[str, list[float]] = {}
    for each in answers:
        by_person.setdefault(each.person, []).append(float(each.seconds or 0.0))
    means = [fmean(seconds) for seconds in by_person.values()]
    return {
        "mean": fmean(means) if means else None,
        "std": stdev(means) if len(means) > 1 else None,
        "people": len(means),
        "answers": len(answers),
    }


def _shown_times(times: Mapping[str, Any], form: str) -> Table:
    def cell(spread: Mapping[str, Any]) -> str:
        if spread["mean"] is None:
            return "–"
        return f"{spread['mean']:.2f}" + ("" if spread["std"] is None else f" ± {spread['std']:.2f}")

    title = f"Table 3.6 ({'a' if form == 'pair' else 'b'}): seconds an answer, {form}s"
    rows = [(name, *map(cell, by_form[form].values())) for name, by_form in times.items()]
    return Table(title, ("study", *GROUPS[form]), tuple(rows))


def _shown_preferences(preferences: Mapping[str, Mapping[str, int]], people: int) -> Table:
    rows = [
        (FACTORS[factor][0], *(f"{counts[choice]}/{people}" for choice in CHOICES))
        for factor, counts in preferences.items()
    ]
    return Table("Table 3.7: preferences", ("factor", "pairs", "triplets", "no preference"), tuple(rows))


def _shown_confusion(name: str, form: str, found: Mapping[str, Any]) -> Table:
    accuracy = "–" if found["accuracy"] is None else f"{found['accuracy']:.2%}"
    matrix: Mapping[str, Mapping[str, float]] = found["matrix"]
    columns = ("true", *(SIGNS[value] for value in next(iter(matrix.values()))))
    rows = [(SIGNS[truth], *(f"{n:.2f}" for n in row.values())) for truth, row in matrix.items()]
    part = "a" if form == "pair" else "b"
    return Table(f"Tables 3.8, 3.9 ({part}): {name}, {form}s ({accuracy})", columns, tuple(rows))
