"""The table of all pairs, the counts for each player, and the missed goals."""

GOALS = [("start", "startIsNear", 90), ("seconds stalled", "stalledIsNear", 80),
         ("variants in order", "variantsAreSame", 80)]


def play(account):
    """A run in short: its start, then the number of stalls and their seconds."""
    if account["start"] is None:
        return "none"
    said = f"{account['start']:.2f}"
    if account["waits"]:
        said += f" / {account['stalls']}: {account['stalled']:.1f}"
    return said + (" failed" if account["failure"] else "")


def mark(is_good):
    return "" if is_good else " ✗"


def table(results):
    lines = ["| title | network | player | real | model | variants, real | model | requests in order | ahead at most |",
             "|---|---|---|---|---|---|---|---|---|"]
    for result in results:
        real, model, found = result["real"], result["model"], result["comparison"]
        cells = [
            result["title"], result["network"], result["player"],
            " · ".join(play(run) for run in [real, *result["others"]]),
            play(model) + mark(found["startIsNear"] and found["stalledIsNear"]),
            " ".join(found["variants"][0]) or "-",
            (" ".join(found["variants"][1]) or "-") + mark(found["variantsAreSame"]),
            f"{found['sameRequests']} of {found['mostRequests']}",
            f"{real['mostAhead']:.0f} / {model['mostAhead']:.0f} s"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def counts(results):
    """The number of pairs within the goals for each player."""
    lines = ["| player | " + " | ".join(f"{name} (goal {goal} %)" for name, _, goal in GOALS) + " |",
             "|---|" + "---|" * len(GOALS)]
    for player in sorted({result["player"] for result in results}):
        own = [result["comparison"] for result in results if result["player"] == player]
        cells = []
        for _, key, goal in GOALS:
            good = sum(found[key] for found in own)
            cells.append(f"{good} of {len(own)}" + mark(100 * good >= goal * len(own)))
        lines.append(f"| {player} | " + " | ".join(cells) + " |")
    return lines


def misses(results):
    lines = []
    for result in results:
        for difference in result["comparison"]["differences"]:
            lines.append(f"- {result['player']}, {result['title']} over {result['network']}: {difference}")
    return lines


def markdown(results, versions, seconds):
    """The whole report."""
    lines = [f"{len(results)} pairs of {seconds} s each; {', '.join(versions)}. A run is its start in s, then the "
             "number of its stalls and their seconds; ✗ is outside the goals.",
             "", *counts(results), "", *table(results)]
    wrong = misses(results)
    return "\n".join(lines + (["", "Differences, and the fields that may explain them:", "", *wrong] if wrong
                              else [])) + "\n"
