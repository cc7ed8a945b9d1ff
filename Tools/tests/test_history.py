from segue_tools.commands.history import cell


def test_equal_outcomes_are_one_word():
    assert cell({"wifi": "continues", "3g": "continues"}) == "plays"


def test_the_fewest_networks_are_named():
    outcomes = {"wifi": "continues", "wifi-slow": "rejected", "4g": "continues", "3g": "rejected", "2g": "rejected"}
    assert cell(outcomes) == "wifi/4g plays, others REJECTED"


def test_a_missing_outcome_is_visible():
    assert cell({"wifi": "continues", "3g": None, "4g": None}) == "wifi plays, others ?"
