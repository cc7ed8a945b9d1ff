"""Quotes of the article in the sources of values."""

import json

import pytest

from segue_tools import article
from segue_tools.commands import quotes
from segue_tools.places import HISTORY

TEXT = "The quick brown fox jumps over the lazy dog's tail, and then it sleeps until noon."


@pytest.fixture
def tale(tmp_path):
    article.write(TEXT, tmp_path / "fingerprints")
    return article.Article(tmp_path / "fingerprints")


@pytest.mark.parametrize(("source", "problem"), [
    ("the article: “the quick brown fox jumps”", None),
    ("the article: “over the lazy dog’s tail … it sleeps until noon”", None),
    ("the article, of another release: “Fox jumps over the LAZY dog's”", None),
    ("choice: the article describes one item", None),
    ("Apple, QA1668: without a layer, audio continues", None),
    ("the article", "quotes no words of the article"),
    ("the article: foxes jump", "quotes no words of the article"),
    ("the article: “quick brown fox”", "quotes words that are not in the article: quick brown fox"),
    ("the article: “the quick red fox jumps”", "quotes words that are not in the article: the quick red fox jumps"),
    ("the article: “the quick brown fox … sleeps”",
     "quotes words that are not in the article: the quick brown fox … sleeps"),
    ("the article: “the quick brown fox” and “a slow brown fox”",
     "quotes words that are not in the article: a slow brown fox"),
])
def test_a_source_that_names_the_article_quotes_it(tale, source, problem):
    assert tale.problem(source) == problem


def test_every_source_of_the_project_is_true():
    assert list(quotes.problems()) == []
    assert len(list(quotes.of_harness())) > 400
    assert sum(source.startswith("the article") for _, source in quotes.of_harness()) > 20


def test_every_cell_of_the_history_is_told_or_inferred():
    history = json.loads((HISTORY / "history.json").read_text())
    bases = [history["sources"][cell["source"]]["basis"] for cell in history["cells"]]
    assert (bases.count("told"), bases.count("inferred")) == (132, 48)
    told = [one["text"] for one in history["sources"].values() if one["basis"] == "told"]
    assert all(text.startswith("the article") for text in told)
