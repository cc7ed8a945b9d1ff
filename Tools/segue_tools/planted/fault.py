"""A fault: its name, the report of it, the code that plants it, and the rules that may find it."""

import dataclasses
import re
import typing

# The name that stands for a rule if the program refuses to check a playlist at all.
REFUSED = "refused"


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault in one of the good presentations.

    `base` is the presentation, `plant` changes a stage (see stage.py), and any of the rules in `expect` may find it.
    `link` is the URL of a report; empty for an unreported fault.
    """

    id: str
    link: str
    base: str
    expect: frozenset
    plant: typing.Callable


class Table:
    """The faults of a class, in the order in which they were added."""

    def __init__(self, base):
        self.base, self.faults = base, []

    def add(self, id, link, expect, *changes, base=None):
        """Adds a fault that consists of changes, each of which is called with the stage."""
        rules = frozenset([expect] if isinstance(expect, str) else expect)

        def plant(stage):
            for change in changes:
                change(stage)
        link = re.sub(r"^([\w.-]+/[\w.-]+)#(\d+)$", r"https://github.com/\1/issues/\2", link)
        link = re.sub(r"^([\w.-]+/[\w.-]+)!(\d+)$", r"https://github.com/\1/pull/\2", link)
        self.faults.append(Fault(id, link, base or self.base, rules, plant))
