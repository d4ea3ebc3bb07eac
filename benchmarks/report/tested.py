"""What the tests show, where a figure would say nothing: the page names the file, which must be there."""

from __future__ import annotations

TESTED = {
    "HACC equals a textbook implementation on 1,000 random cases": "tests/cluster/test_hacc.py",
    "Active-HACC's question has the highest score of brute force to 1e-9 on 600 random cases": "tests/query/test_expected_change.py",
    "DistLQP: Lemmas 1–4 and Theorem 5; objective within 1e-4 of Clarabel's on 200 random instances": "tests/distances/test_distlqp.py",
    "Discriminative clustering: mean field, bound and gradient against enumeration and differences": "tests/cluster/test_discriminative.py",
    "Bayesian clustering: messages and criteria against enumeration, draws by simulation-based calibration": "tests/cluster/test_bayesian.py",
    "Label hierarchy: posteriors against enumeration, bounds that never fall": "tests/hierarchy/test_posterior.py",
    "Label hierarchy: no arborescence weighs more than the one found": "tests/hierarchy/test_arborescence.py",
    "URASC: the gradient against finite differences of the eigenvectors, equal eigenvalues": "tests/query/test_urasc.py",
    "Bag constraints: Table 2.1 entry by entry, the operator against the dense matrix": "tests/cluster/test_bags.py",
    "Fast-PAM makes the swaps of plain PAM": "tests/cluster/test_kmedoids.py",
    "Subclustering on Dask equals one machine, also when a worker is killed": "tests/cluster/test_subclustering_dask.py",
    "Neighbours on Dask equal one machine's, also when a worker is killed": "tests/distances/test_distributed.py",
    "Vectors on Dask equal one machine's, also when a worker is killed": "tests/images/test_distributed.py",
    "PCCA finds the number of well-separated clusters in at least 19 of 20 seeds from 3, 6 and 10 times as many": "tests/cluster/test_pcca.py",
    "Every strategy: same seed and answers, same questions; it ends with the truth": "tests/query/test_strategy_contract.py",
    "No acknowledged answer is lost when the server is killed": "tests/server/test_kills.py",
    "A team while the server is killed: nothing lost, no question to more people than wanted": "tests/server/test_team_kills.py",
    "The API against its own description (schemathesis; a small run)": "tests/server/test_fuzz.py",
    "Hostile picture files": "tests/images/test_hostile.py",
}
