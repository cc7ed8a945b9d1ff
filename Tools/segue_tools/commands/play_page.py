"""Clicks a title on Segue's page in headless Chromium, and says what came of it.

Prints one JSON object: the state of the player after it has played for a while, after the switch to sound alone, and
after the switch back. Everything is waited for by events in the page. Needs nothing but Python's own library and a
Chromium in PATH.
"""

import json

from segue_tools.browser.chromium import Browser

STATE = """({position: segue.player.position, duration: segue.player.duration, width: video.videoWidth,
  paused: video.paused, problem: segue.player.problem && String(segue.player.problem),
  title: document.querySelector('#player .name b').textContent, isPictureWanted: segue.player.engine.isPictureWanted,
  sound: segue.player.engine.ledger.sound, picture: segue.player.engine.ledger.picture})"""

# Resolves when the player has gone on for a second and a half from a position, or has failed for good.
PLAYED = """new Promise(resolve => {
  const from = %s;
  const look = () => { if (segue.player.problem || (segue.player.position > from + 1.5 && !video.seeking)) { done(); } };
  const done = () => { segue.player.removeEventListener('timeupdate', look); resolve(%s); };
  for (const name of ['timeupdate', 'failed']) segue.player.addEventListener(name, look);
  look();
})"""


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
        states = {"full": browser.evaluate(PLAYED % ("0", STATE))}
        for name, is_on in [("background", "true"), ("fullAgain", "false")]:
            at = browser.evaluate(f"segue.player.soundOnly({is_on}); segue.player.position")
            states[name] = browser.evaluate(PLAYED % (at, STATE))
            states[name]["switchedAt"] = at
        print(json.dumps(states))
    finally:
        browser.close()
