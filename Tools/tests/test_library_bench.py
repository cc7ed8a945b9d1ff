"""The summary of a search of planted bugs."""

from segue_tools.commands.bench.library import recall


def test_recall_counts_each_seed_alone():
    told = [
        ["planted", "a", "silent", "3 steps", "after 7 runs", "seed 1"],
        ["planted", "b", "-", "seed 1"],
        ["planted", "a", "-", "seed 2"],
        ["right", "c", "-", "seed 1", "400"],
        ["right", "c", "jump", "seed 2", "12"],
    ]
    assert recall(told) == [
        "seed 1: 1 of 2 planted bugs were found; findings in 0 of 1 correct apps",
        "seed 2: 0 of 1 planted bugs were found; findings in 1 of 1 correct apps: c",
    ]
