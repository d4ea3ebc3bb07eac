"""Ratios of time, and bars of time and memory, each with the quality of the same run."""

from __future__ import annotations

from typing import Any

from benchmarks.report.claim import Claim, Section, at_least, at_most
from benchmarks.report.kept import Kept
from benchmarks.report.write import count, duration, listed, score, table, times

ABOUT = "Speed"
EMBEDDING = ("pictures of 256 pixels", "JPEG of 12 megapixels")


def section(kept: Kept) -> Section:
    """The part of the page."""
    here = Section(
        "speed",
        "Speed",
        "Ratios of one run, beside the quality of the same run; most count processor time, because the machine was shared. [Performance](performance.md) explains them.",
        "performance.md",
    )
    parts = (_clustering, _asking, _learning, _large, _app, _peers)
    here.claims = [claim for part in parts for claim in part(kept)]
    here.blocks = [
        table(["what and bar", "measured", ""], ((c.says, c.measured or "–", c.verdict) for c in here.claims))
    ]
    here.blocks.append(_means(kept))
    return here


def _means(kept: Kept) -> str:
    rows = kept.results("speed/kmeans.json") or []
    out = [
        (
            r["model"],
            str(r.get("constraints", "–")),
            duration(r["seconds"]),
            times(r.get("ratio", 1.0)),
            score(r["ari"]),
        )
        for r in rows
    ]
    head = ["k-means family, digits, five starts", "constraints", "time", "of scikit-learn's KMeans", "ARI"]
    return table(head, out) if rows else "The k-means family beside scikit-learn's: not run."


def _clustering(kept: Kept) -> list[Claim]:
    rows = kept.results("speed/hacc.json")
    worst = max((r["ratio"] for r in rows), default=None) if rows else None
    broken = sum(r["broken_constraints"] for r in rows) if rows else 0
    tree = kept.results("speed/hierarchy.json")
    dc = kept.results("speed/discriminative.json")
    slow = max(dc, key=lambda r: r["ratio"]) if dc else None
    slope = kept.results("speed/pcca.json")
    exponent = max(slope["exponent"].values()) if slope else None
    return [
        at_most(
            ABOUT,
            "HACC, N = 4,000: ≤ 1.2 × one argsort of the distances",
            worst,
            1.2,
            f"{times(worst)}; {broken} constraints broken",
        ),
        at_most(
            ABOUT,
            "discriminative clustering, 4,998 × 38: ≤ 15 × one logistic regression",
            slow and slow["ratio"],
            15,
            f"{times(slow['ratio'])} at worst; pairwise F {score(slow['pairwise_f'])}" if slow else "",
        ),
        at_most(
            ABOUT,
            "label hierarchy, 10,000 × 100, 30 tags: a round of EM ≤ 10 × one gradient of 30 logistic regressions",
            tree and tree["ratio"],
            10,
            f"{times(tree['ratio'])}; RF {tree['rf_after_20_rounds']:g} after 20 rounds" if tree else "",
        ),
        at_most(
            ABOUT,
            "label hierarchy: memory of a round at most that of all pairs of tags",
            tree and tree["peak_megabytes_of_a_round"],
            tree["megabytes_of_all_pairs"] if tree else 0,
            f"{tree['peak_megabytes_of_a_round']:.0f} MB of {tree['megabytes_of_all_pairs']:.0f}" if tree else "",
        ),
        at_most(
            ABOUT,
            "PCCA from 10³ to 10⁶ items: time grows at most as N^1.1",
            exponent,
            1.1,
            f"N^{exponent:.2f}; {listed(sorted({str(r['clusters']) for r in slope['rows']}))} clusters of 5"
            if slope
            else "",
        ),
    ]


def _asking(kept: Kept) -> list[Claim]:
    active = kept.results("speed/active_hacc.json")
    bayes = kept.results("speed/bayesian.json")
    urasc = kept.results("speed/urasc.json")
    sub = kept.results("papers/biswas2014_subclustering/active.json")
    last = sub["curve"][-1] if sub else None
    cpu = last["cpu_seconds"] / last["questions"] if last else None
    clock = last["seconds"] / last["questions"] if last else None
    runs = active["main"]["hacc_runs"] if active else None
    return [
        at_most(
            ABOUT,
            "Active-HACC, N = 1,042, after 300 answers: a question ≤ 200 runs of HACC",
            runs,
            200,
            f"{runs:.0f} runs, {duration(active['main']['choose_seconds'])}; the exact maximum" if active else "",
        ),
        at_most(
            ABOUT,
            "Active-HACC, N = 250 … 2,000: grows at most as N^2.4",
            active and active["growth"]["exponent"],
            2.4,
            f"N^{active['growth']['exponent']:.2f}" if active else "",
        ),
        at_most(
            ABOUT,
            "Active-HACC, N = 5,000: within 4 GB",
            active and active["large"]["peak_gib"],
            4 / 1.0737,
            f"{active['large']['peak_gib']:.2f} GiB, {duration(active['large']['choose_seconds'])} a question"
            if active
            else "",
        ),
        at_most(
            ABOUT,
            "Bayesian asker, sonar, 60 answers: ≤ 1/10 of coordinate-wise slice sampling at equal effective sample size",
            bayes and bayes["ratio"],
            0.1,
            f"{bayes['ratio']:.3f}; pairwise F {score(bayes['pairwise_f_after_the_answers'])}" if bayes else "",
        ),
        at_most(
            ABOUT,
            "URASC, 1,360 items, after 200 answers: a question ≤ 3 × one eigsh of the Laplacian",
            urasc and urasc["ratio"],
            3,
            f"{times(urasc['ratio'])}; Jaccard {score(urasc['jaccard'])} ({urasc['set']})" if urasc else "",
        ),
        at_most(
            ABOUT,
            "URASC, sparse affinity, N = 500 … 8,000: grows at most as N^1.4",
            urasc and urasc["exponent"],
            1.4,
            f"N^{urasc['exponent']:.2f}" if urasc else "",
        ),
        at_most(
            ABOUT,
            "active subclustering, 51,418 items: ≤ 10 ms of a core a question, amortised",
            cpu,
            0.01,
            f"{duration(cpu)} ({duration(clock)} by the clock, machine shared); SJC {score(last['sjc'])}"
            if last
            else "",
        ),
    ]


def _learning(kept: Kept) -> list[Claim]:
    lqp = kept.results("speed/distlqp.json")
    ours = [one["ours, tol=5e-05"] for one in lqp["solvers"]] if lqp else []
    slowest = min((o["times faster than Clarabel"] for o in ours), default=None)
    above = max((o["objective above Clarabel's"] for o in ours), default=0.0)
    osqp = listed(sorted({one["OSQP"]["status"] for one in lqp["solvers"] if "OSQP" in one})) if lqp else ""
    peak = max([o["peak GB"] for o in ours] + [lqp["large"]["peak GB"]]) if lqp else None
    done = kept.results("speed/completion.json")
    return [
        at_least(
            ABOUT,
            "DistLQP, 1,042 items, 5,000 constraints: ≥ 20 × faster than Clarabel and OSQP at equal objective (1e-4)",
            slowest if above <= 1e-4 else None if slowest is None else 0.0,
            20,
            f"{times(slowest)} Clarabel at worst, objective {above:.0e} above; OSQP: {osqp}" if lqp else "",
        ),
        at_most(
            ABOUT,
            "DistLQP, 10,000 items, 25,000 constraints finishes; within 4 GB",
            peak,
            4,
            f"{duration(lqp['large']['seconds'])}, {peak:.1f} GB" if lqp else "",
        ),
        at_most(
            ABOUT,
            "completion, n = 1,000, 20 % seen, 5 % of it wrong: recovered exactly (1e-4)",
            done and done["largest error"],
            1e-4,
            f"largest error {done['largest error']:.0e}" if done else "",
        ),
        at_most(
            ABOUT,
            "completion, n = 1,000: ≤ 40 × one eigh",
            done and done["completion / eigh"],
            40,
            times(done["completion / eigh"]) if done else "",
        ),
        at_most(
            ABOUT,
            "RDML, n = 1,000: ≤ 3 × one thin SVD, positive semi-definite without projection",
            (done["RDML / svd"] if done["smallest eigenvalue of the metric"] > -1e-9 else 1e9) if done else None,
            3,
            f"{times(done['RDML / svd'])}, smallest eigenvalue {done['smallest eigenvalue of the metric']:.0e}"
            if done
            else "",
        ),
    ]


def _large(kept: Kept) -> list[Claim]:
    sub = kept.results("speed/subclustering.json")
    million = kept.results("speed/subclustering_million.json")
    return [
        at_most(
            ABOUT,
            "subclustering, 51,418 × 128, K = 200: ≤ 3 × one R × N distance computation by scikit-learn",
            sub and sub["ratio"],
            3,
            f"{times(sub['ratio'])}; SJC {score(sub['sjc'])}" if sub else "",
        ),
        at_most(
            ABOUT,
            "subclustering, 51,418 × 128: within 4 GB",
            sub and sub["peak_gib"],
            4 / 1.0737,
            f"{sub['peak_gib']:.2f} GiB" if sub else "",
        ),
        Claim(
            ABOUT,
            "subclustering, 1,000,000 × 128 finishes",
            True if million else None,
            f"{duration(million['seconds'])} of a core, {million['peak_gib']:.2f} GiB, SJC {score(million['sjc'])}"
            if million
            else "",
        ),
    ]


def _app(kept: Kept) -> list[Claim]:
    server = kept.results("speed/server.json") or {}
    first = [one["seconds"] for one in server.get("first", {}).get("starts", [])]
    answers = server.get("answers")
    wall = kept.results("speed/wall.json")
    blocks = max(wall[view]["longest_task_ms"] for view in ("wall", "largest_cluster")) if wall else None
    memory = max(wall[view]["private_mb"] for view in ("wall", "largest_cluster")) if wall else None
    embedding = kept.results("speed/embedding.json") or {}
    starts = [one for kind in (kept.results("speed/first_question.json") or {}).values() for one in kind]
    slowest = max((one["seconds_to_the_question"] for one in starts), default=None)
    silence = max((one["longest_silence"] for one in starts), default=None)
    return [
        at_most(
            ABOUT,
            "first question from 600 pictures, nothing compiled or all: ≤ 8 s",
            slowest,
            8,
            f"{slowest:.1f} s at worst of {len(starts)}, run before all other programs" if slowest else "",
        ),
        at_most(
            ABOUT,
            "the terminal until then: never silent for more than 1 s",
            silence,
            1,
            f"{silence:.1f} s at worst of {len(starts)}" if silence else "",
        ),
        at_most(
            ABOUT,
            "first question from a folder of 500 pictures: ≤ 10 s",
            max(first, default=None),
            10,
            f"{max(first):.1f} s at worst of {len(first)}" if first else "",
        ),
        at_most(
            ABOUT,
            "answer to next question, 10,000 pictures, while embedding: p95 ≤ 50 ms",
            answers and answers["server_ms"]["p95"],
            50,
            f"{answers['server_ms']['p95']:.0f} ms of {answers['answers']} answers" if answers else "",
        ),
        at_most(
            ABOUT, "wall of 100,000 pictures: under 200 MB in the page", memory, 200, f"{memory:.0f} MB" if wall else ""
        ),
        at_most(
            ABOUT,
            "wall of 100,000 pictures: never blocked longer than 100 ms",
            blocks,
            100,
            f"{blocks} ms" if wall else "",
        ),
        *(_embedding(name, embedding.get(name)) for name in EMBEDDING),
    ]


def _embedding(name: str, row: dict[str, Any] | None) -> Claim:
    says = f"embedding files, {name}: ≥ 0.8 × a bare ONNX Runtime loop over batches in memory"
    if row is None:
        return Claim(ABOUT, says)
    ratio = row["ratio_to_bare"]
    found = f"{times(ratio)}; {times(row['ratio_to_bare_threads'])} a loop with threads"
    if "least_decoding_a_second" in row:  # what no reading can be faster than
        least = row["least_decoding_a_second"] / row["bare_a_second"]
        found += f"; {times(least)} is what decoding alone, at an eighth, leaves"
    return at_least(ABOUT, says, ratio, 0.8, found)


def _peers(kept: Kept) -> list[Claim]:
    claims = []
    found = kept.results("peers/active_semi_clustering/results.json") or {}
    for method in ("PCKMeans", "MPCKMeans"):
        here = found.get(method)
        claims.append(_scores(method, here))
        for ours, words in (
            ("ours, one start", "start for start"),
            ("ours, defaults", "with our default of five starts"),
        ):
            says = f"{method}, digits, 500 constraints: ≥ 10 × faster than active-semi-supervised-clustering, {words}"
            if here is None:
                claims.append(Claim(ABOUT, says))
                continue
            peer, own = here["digits"]["peer"][0], here["digits"][ours][0]
            ratio = peer["seconds"] / own["seconds"]
            claims.append(
                at_least(ABOUT, says, ratio, 10, f"{times(ratio)}; ARI {score(own['ari'])}, peer {score(peer['ari'])}")
            )
    return [*claims, *_medoids(kept), _metrics(kept)]


def _scores(method: str, here: dict[str, Any] | None) -> Claim:
    says = f"{method}: ARI at least that of active-semi-supervised-clustering on iris, wine and sonar, same constraints"
    if here is None:
        return Claim(ABOUT, says)
    pairs = zip(here["tables"]["ours, defaults"], here["tables"]["peer"], strict=True)
    lead = [(own["ari"] - peer["ari"], f"{own['table']} at {own['constraints']}") for own, peer in pairs]
    behind = [where for gain, where in lead if gain < 0]
    measured = (
        f"at {len(lead) - len(behind)} of {len(lead)} points, lead {score(min(lead)[0])} to {score(max(lead)[0])}"
    )
    return Claim(ABOUT, says, not behind, measured, f"behind at {listed(behind)}")


def _medoids(kept: Kept) -> list[Claim]:
    says = "Fast-PAM, N = 10,000, K = 50: loss at most 0.5 % above kmedoids.fasterpam, in ≤ 2 × its time"
    rows = [r for r in kept.results("peers/kmedoids/results.json") or [] if r["method"].startswith("ours")]
    if not rows:
        return [Claim(ABOUT, says)]
    loss, time = max(r["loss_ratio"] for r in rows), max(r["time_ratio"] for r in rows)
    return [Claim(ABOUT, says, loss <= 1.005 and time <= 2, f"loss × {loss:.4f}, {times(time)} at worst")]


def _metrics(kept: Kept) -> Claim:
    says = "ITML, MMC, RCA, LMNN, LSML: objective of metric-learn 0.7.0 within 1 % or better, iris and wine"
    rows = kept.results("peers/metric_learn/results.json")
    if not rows:
        return Claim(ABOUT, says)
    worst = [(abs(r["difference"]) if "difference" in r else r.get("ours above peer's"), r) for r in rows]
    failed = [r for value, r in worst if value is None or value > 0.01]
    notes = listed(sorted({f"{r['method']} on {r['table']}" for r in failed}))
    top = max(value for value, _ in worst if value is not None)
    return Claim(
        ABOUT,
        says,
        not failed,
        f"at {count(len(rows) - len(failed))} of {len(rows)}; at most {100 * top:.2f} % above",
        f"not: {notes}",
    )
