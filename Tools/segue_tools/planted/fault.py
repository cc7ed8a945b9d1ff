"""A fault: what it is called, where it was met, how it is planted, and which rules may name it."""

import dataclasses
import re
import typing

# What stands for a rule where the program refuses to look at a playlist at all.
REFUSED = "refused"


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault in one of the good presentations.

    `base` is the presentation, `plant` changes a stage (see stage.py), and any of the rules in `expect` names it.
    `link` is where it was reported; empty for what nobody reported.
    """

    id: str
    link: str
    base: str
    expect: frozenset
    plant: typing.Callable


class Table:
    """The faults of a class, in the order in which they were entered."""

    def __init__(self, base):
        self.base, self.faults = base, []

    def add(self, id, link, expect, *changes, base=None):
        """Enters a fault that some changes make, each of which is handed the stage."""
        rules = frozenset([expect] if isinstance(expect, str) else expect)

        def plant(stage):
            for change in changes:
                change(stage)
        link = re.sub(r"^([\w.-]+/[\w.-]+)#(\d+)$", r"https://github.com/\1/issues/\2", link)
        link = re.sub(r"^([\w.-]+/[\w.-]+)!(\d+)$", r"https://github.com/\1/pull/\2", link)
        self.faults.append(Fault(id, link, base or self.base, rules, plant))
