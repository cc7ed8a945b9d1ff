"""Fixtures of the tests; pytest adds this folder to the module path."""

import json

import pytest


@pytest.fixture
def lines(capfd):
    """Returns the lines that drivers have written since the last call."""
    return lambda: [json.loads(line) for line in capfd.readouterr().out.splitlines()]


@pytest.fixture
def events(lines):
    """Returns the events since the last call, as (kind, time, fields)."""

    def read():
        found = [line for line in lines() if "kind" in line]
        return [(event.pop("kind"), event.pop("t"), event) for event in found]

    return read
