"""Clicks a title on the web page in headless Chromium, and prints the state of the player.

The output is one JSON object: the state after some playback, after the switch to audio only, and after the switch
back. Only Chromium and Python's standard library are needed.
"""

import json

from segue_tools.browser.chromium import Browser
from segue_tools.browser.scripts import script


def arguments(parser):
    parser.add_argument("url", help="the address of a server")
    parser.add_argument("item", help="the id of an item")


def main(options):
    browser = Browser()
    try:
        browser.open(options.url)
        item = json.dumps(options.item)
        browser.wait(f"globalThis.segue && document.querySelector(`[data-id=${{CSS.escape({item})}}] a`)")
        browser.evaluate(f"document.querySelector(`[data-id=${{CSS.escape({item})}}] a`).click()")
        states = {"full": browser.evaluate(script("played") % ("0", script("player-state")))}
        for name, is_on in [("background", "true"), ("fullAgain", "false")]:
            at = browser.evaluate(f"segue.player.soundOnly({is_on}); segue.player.position")
            states[name] = browser.evaluate(script("played") % (at, script("player-state")))
            states[name]["switchedAt"] = at
        print(json.dumps(states))
    finally:
        browser.close()
