"""A driver for VLC, by its library (libvlc.so.5): sound and pictures are handed to this program, which throws them away.

What comes out is the sound, each piece of which VLC hands over with the moment when it is due. Pictures are told of with it:
VLC shows the last one again and again where there is no new one, and does not say which they are.

To those that watch it (watched) it shows each picture when VLC says that it is to be shown, and plays each piece of sound when VLC
says that it is due (shown.py).
"""

import collections
import ctypes
import os
import sys
import threading
import time

from segue_drivers.driver import cut_connections
from segue_drivers.playback import Playback

# libvlc_event_e of VLC 3.
BUFFERING, END, ERROR, TIME = 0x103, 0x109, 0x10A, 0x10B
# The states of an item that is there: playing, and paused.
THERE = (3, 4)
ENDED = 6
# The form that VLC brings sound and pictures into where nobody watches: little is looked at, so little is asked for.
RATE, SIDE = 48000, 16
# How far VLC's word on its place may be off what follows from the sound until it is believed, in seconds, and for how long
# it is listened to first: it is often late by more than a second, and never early.
DRIFT, LISTENING = 0.5, 3.0

# How much sound is taken before it is due, how long VLC waits with a piece for that at the most, and at the end; in seconds.
# Who shows what it is handed needs it earlier.
ROOM, PIECE, MOST = 0.1, 0.2, 1.0
ROOM_SHOWN = 0.3
# How long VLC may take to stop by itself, in seconds; how often its connections are ended then, and how long that is waited for.
STOPPING, CUTS, CUT = 0.5, 40, 0.05
# How far before the end of an item a seek may lead: at the end itself it is over for VLC.
LAST_PLACE = 0.15
# How long sound may be behind a seek of something that is paused until there is none, as near the end.
SOUNDLESS = 0.5
# How long an item that is opened waits for `play`, in seconds: VLC knows no opening but to play, and one that is played at once
# begins so. What is held first goes on by a lock that VLC's loader keeps while it has less than it wants, which may be long.
OPENED = 0.25
# How long it may take VLC to let go of what it had before a seek, where it says so, and to come to where it leads.
FLUSHING, SETTLING = 0.3, 5.0

Handle, Integer = ctypes.c_void_p, ctypes.c_int


class Track(ctypes.Structure):
    pass


Track._fields_ = [("id", Integer), ("name", ctypes.c_char_p), ("next", ctypes.POINTER(Track))]


class Event(ctypes.Structure):
    class What(ctypes.Union):
        _fields_ = [("cache", ctypes.c_float), ("time", ctypes.c_int64)]

    _fields_ = [("type", Integer), ("object", Handle), ("what", What)]


HAPPENED = ctypes.CFUNCTYPE(None, ctypes.POINTER(Event), Handle)
DRAINED = ctypes.CFUNCTYPE(None, Handle)
HEARD = ctypes.CFUNCTYPE(None, Handle, Handle, ctypes.c_uint, ctypes.c_int64)
FLUSHED = ctypes.CFUNCTYPE(None, Handle, ctypes.c_int64)
LOCKED = ctypes.CFUNCTYPE(Handle, Handle, ctypes.POINTER(Handle))
SHOWN = ctypes.CFUNCTYPE(None, Handle, Handle)

FUNCTIONS = {
    "libvlc_new": (Handle, Integer, ctypes.POINTER(ctypes.c_char_p)),
    "libvlc_get_version": (ctypes.c_char_p,),
    "libvlc_media_new_location": (Handle, Handle, ctypes.c_char_p),
    "libvlc_media_add_option": (None, Handle, ctypes.c_char_p),
    "libvlc_media_release": (None, Handle),
    "libvlc_media_player_new_from_media": (Handle, Handle),
    "libvlc_media_player_release": (None, Handle),
    "libvlc_media_player_event_manager": (Handle, Handle),
    "libvlc_event_attach": (Integer, Handle, Integer, HAPPENED, Handle),
    "libvlc_media_player_play": (Integer, Handle),
    "libvlc_media_player_set_pause": (None, Handle, Integer),
    "libvlc_media_player_stop": (None, Handle),
    "libvlc_media_player_get_state": (Integer, Handle),
    "libvlc_media_player_set_time": (None, Handle, ctypes.c_int64),
    "libvlc_media_player_get_length": (ctypes.c_int64, Handle),
    "libvlc_media_player_set_rate": (Integer, Handle, ctypes.c_float),
    "libvlc_video_get_track_count": (Integer, Handle),
    "libvlc_audio_get_track_count": (Integer, Handle),
    "libvlc_video_set_track": (Integer, Handle, Integer),
    "libvlc_video_get_track_description": (ctypes.POINTER(Track), Handle),
    "libvlc_track_description_list_release": (None, ctypes.POINTER(Track)),
    "libvlc_audio_set_format": (None, Handle, ctypes.c_char_p, ctypes.c_uint, ctypes.c_uint),
    "libvlc_audio_set_callbacks": (None, Handle, HEARD, Handle, Handle, FLUSHED, DRAINED, Handle),
    "libvlc_video_set_format": (None, Handle, ctypes.c_char_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint),
    "libvlc_video_set_callbacks": (None, Handle, LOCKED, Handle, SHOWN, Handle),
}


def library():
    try:
        vlc = ctypes.CDLL("libvlc.so.5")
    except OSError as error:
        sys.exit(f"driver: VLC is not there (vlc-bin, vlc-plugin-base): {error}")
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(vlc, name)
        function.restype, function.argtypes = result, arguments
    return vlc


class Item:
    """One player of VLC's, for one item: it is let go of as a whole, however long that takes it."""

    def __init__(self, driver, url, is_held, place=0.0):
        self.driver, self.vlc = driver, driver.vlc
        media = self.vlc.libvlc_media_new_location(driver.instance, url.encode())
        if is_held:
            self.vlc.libvlc_media_add_option(media, b":start-paused")
        if place > 0:
            self.vlc.libvlc_media_add_option(media, f":start-time={place:.3f}".encode())
        self.player = self.vlc.libvlc_media_player_new_from_media(media)
        self.vlc.libvlc_media_release(media)
        self.outside = driver.outside
        width, height = (self.outside.screen.width, self.outside.screen.height) if self.outside else (SIDE, SIDE)
        self.pixels, self.channels = ctypes.create_string_buffer(width * height * 4), 2 if self.outside else 1
        # What VLC calls has to be kept.
        self.calls = [HAPPENED(self.happened), HEARD(self.heard), FLUSHED(self.flushed), DRAINED(self.drained),
                      LOCKED(self.lock), SHOWN(self.shown)]
        happened, heard, flushed, drained, lock, shown = self.calls
        # When the sound that was handed over last is over.
        self.last = 0.0
        self.vlc.libvlc_audio_set_format(self.player, b"S16N", RATE, self.channels)
        self.vlc.libvlc_audio_set_callbacks(self.player, heard, None, None, flushed, drained, None)
        self.vlc.libvlc_video_set_format(self.player, b"RV32", width, height, width * 4)
        self.vlc.libvlc_video_set_callbacks(self.player, lock, None, shown, None)
        manager = self.vlc.libvlc_media_player_event_manager(self.player)
        for kind in (BUFFERING, END, ERROR, TIME):
            self.vlc.libvlc_event_attach(manager, kind, happened, None)
        self.vlc.libvlc_media_player_play(self.player)

    # VLC may not be called from where it calls: all is handed on, with its time

    def hand_on(self, act, *words):
        self.driver.post(lambda: self is self.driver.item and act(*words))

    def happened(self, event, _):
        what, at = event.contents, self.driver.clock()
        if what.type == TIME:
            self.hand_on(self.driver.said_time, what.what.time / 1000, at)
        elif what.type == BUFFERING:
            self.hand_on(self.driver.buffering, what.what.cache, at)
        elif what.type == END:
            self.hand_on(self.driver.over, at)
        elif what.type == ERROR:
            self.hand_on(self.driver.broke, "VLC", 0, "VLC cannot play it")

    def heard(self, _, samples, count, due):
        due, length = due / 1e6, count / RATE
        if self.outside and self is self.driver.item:
            self.outside.hear(ctypes.string_at(samples, 2 * self.channels * count), due)
        self.hand_on(self.driver.heard, self.driver.clock(), due, length)
        # As a device does that has little room, it makes VLC wait.
        self.last = due + length
        self.wait(due - (ROOM_SHOWN if self.outside else ROOM), PIECE)

    def drained(self, _):
        self.wait(self.last, MOST)

    def wait(self, until, most):
        time.sleep(max(0.0, min(most, until - self.driver.clock())))

    def flushed(self, *_):
        if self.outside and self is self.driver.item:
            self.outside.forget()
        self.hand_on(self.driver.flushed)

    def lock(self, _, planes):
        planes[0] = ctypes.addressof(self.pixels)
        return None

    def shown(self, *_):
        if self.outside and self is self.driver.item and self.driver.is_shown:
            self.outside.show(self.pixels)
        self.hand_on(self.driver.pictured, self.driver.clock())

    def let_go(self):
        """Stops it. Where no bytes come VLC waits for them, and opens connections anew: they are ended until it gives up."""
        done = threading.Event()

        def stop():
            self.vlc.libvlc_media_player_stop(self.player)
            self.vlc.libvlc_media_player_release(self.player)
            self.driver.leaving.discard(self)
            done.set()

        self.driver.leaving.add(self)
        threading.Thread(target=stop, daemon=True).start()
        patience = STOPPING
        for _ in range(CUTS):
            if done.wait(patience):
                return
            cut_connections()
            patience = CUT


def outside():
    """What shows and plays it, where it is watched."""
    if not os.environ.get("SEGUE_SHOWN"):
        return None
    # What that needs is asked for nowhere else.
    from segue_drivers.presenter import Shown
    return Shown()


class VLC(Playback):
    def __init__(self):
        self.vlc = library()
        words = [b"--no-video-title-show", b"--quiet", b"--no-xlib", b"--no-input-fast-seek"]
        self.instance = self.vlc.libvlc_new(len(words), (ctypes.c_char_p * len(words))(*words))
        if not self.instance:
            sys.exit("driver: VLC does not start")
        self.outside = outside()
        self.item, self.leaving = None, set()
        # What was opened and not played yet: its URL, and until when it waits for that.
        self.opened = None
        self.is_pictured = self.is_held = False
        # Pieces of sound that are not due yet: when each is, how long it lasts, and at which rate; where the next one is in the
        # item, and where a seek leads to of which nothing has been heard.
        self.pieces, self.reached, self.is_flushed, self.is_first = collections.deque(), 0.0, True, True
        self.aim, self.is_seeking = None, False
        # What VLC said of its place since the sound began, and whether that has been looked at.
        self.words, self.is_placed, self.is_filled, self.sought = [], False, False, 0.0
        super().__init__(f"VLC {self.vlc.libvlc_get_version().decode().split()[0]}")

    # VLC's side

    @property
    def duration(self):
        length = self.vlc.libvlc_media_player_get_length(self.item.player) if self.item else 0
        return length / 1000 if length > 0 else -1.0

    def heard(self, at, due, length):
        if self.is_flushed and self.is_first:
            # VLC's clock begins with this, at the place that was asked for; the sound with its next packet, when it is due.
            self.is_first = self.is_seeking = False
            self.landed(self.reached, at)
            self.reached += max(0.0, due - at) * self.rate
        self.pieces.append([due, length, self.rate])

    def flushed(self):
        self.pieces.clear()
        self.is_flushed = True
        if self.aim is not None:
            self.reached, self.is_first = self.aim, True

    def pictured(self, at):
        self.is_pictured = True
        if self.is_ready and not self.has["sound"] and not self.is_held and self.is_filled:
            self.landed(self.reached)
            flow = self.flows["picture"]
            place = flow.place_at(at, self.rate) + max(0.0, at - flow.until) * self.rate if flow.is_on else self.reached
            self.came("picture", at, place, at, place)
            self.reached = place

    def buffering(self, percent, at):
        self.is_filled = percent >= 100

    def said_time(self, place, at):
        """VLC's word on its place, which moves in steps of up to a second: it is believed where the sound's is far off."""
        flow = self.flows["sound"]
        if not flow.is_on or self.is_placed:
            self.words = []
            return
        self.words.append((at, place - flow.place_at(at, self.rate)))
        if at - self.words[0][0] < LISTENING:
            return
        ahead, self.is_placed = max(word for _, word in self.words), True
        if abs(ahead) > DRIFT:
            self.reached += ahead
            self.tell("item.timeJumped", at, item=self.queue.name, position=round(flow.place_at(at, self.rate) + ahead, 6))

    def over(self, at):
        if self.is_wanted:
            self.finished(at)

    def look(self):
        if self.opened and self.clock() >= self.opened[1]:
            self.make(self.opened[0], True)
        if not self.item:
            return
        self.look_whether_ready()
        now = self.clock()
        if not self.is_flushed and now - self.sought < FLUSHING:
            return
        self.is_flushed = True
        # Of the end VLC fills no buffer.
        is_there = self.is_filled or 0 < self.duration <= self.reached + 1
        if self.is_held and self.is_seeking and is_there and now - self.sought > SOUNDLESS:
            self.is_seeking = False
            self.landed(self.reached)
        while self.pieces and self.pieces[0][0] <= now and not self.is_held:
            self.aim = None
            due, length, rate = self.pieces.popleft()
            place, self.reached = self.reached, self.reached + length * rate
            self.came("sound", due, place, due + length, self.reached)
            if self.is_pictured:
                self.came("picture", due, place, due + length, self.reached)

    def look_whether_ready(self):
        """VLC does not say that an item could be played: it has tracks, and something of them is there."""
        if self.is_ready or self.vlc.libvlc_media_player_get_state(self.item.player) not in THERE:
            return
        has_sound = self.vlc.libvlc_audio_get_track_count(self.item.player) > 0
        has_picture = self.vlc.libvlc_video_get_track_count(self.item.player) > 0
        if self.pieces or self.is_pictured and not has_sound:
            self.ready(has_sound, has_picture)
            if self.rate != 1:
                self.change_rate(self.rate)
            if not self.is_shown:
                self.show(False)

    def load(self, item):
        self.stop()
        if self.is_wanted:
            self.make(item["url"], False)
        else:
            self.opened = item["url"], self.clock() + OPENED

    def make(self, url, is_held):
        self.opened, self.is_held = None, is_held
        self.item = Item(self, url, is_held)

    def stop(self):
        if self.item:
            self.item.let_go()
        self.item = self.opened = None
        self.pieces.clear()
        if self.outside:
            self.outside.forget()
            self.outside.clear()
        self.reached, self.is_flushed = 0.0, True
        self.is_pictured = self.is_filled = self.is_placed = False
        self.is_first, self.aim, self.is_seeking = True, None, False

    def resume(self):
        if self.opened:
            self.make(self.opened[0], False)
            return
        if not self.item:
            return
        self.vlc.libvlc_media_player_set_pause(self.item.player, 0)
        self.is_held, now = False, self.clock()
        if self.outside:
            self.outside.go_on()
        # What had been handed over goes on where it stood.
        if self.pieces and self.pieces[0][0] < now:
            late = now - self.pieces[0][0]
            for piece in self.pieces:
                piece[0] += late

    def hold(self):
        if self.item:
            self.vlc.libvlc_media_player_set_pause(self.item.player, 1)
            self.is_held = True
            if self.outside:
                self.outside.hold()

    def change_rate(self, rate):
        # One that is not there yet is told when it is ready.
        if self.item:
            self.vlc.libvlc_media_player_set_rate(self.item.player, rate)
        return True

    def seek_to(self, place):
        """Seeks, once VLC has come to where it was told to go before: it forgets what it is told until then."""
        if self.is_seeking and self.clock() - self.sought < SETTLING:
            return False
        self.pieces.clear()
        # What comes until VLC has let go of what it had is not of the new place.
        self.is_flushed = not self.has["sound"]
        place = min(place, self.duration - LAST_PLACE) if self.duration > LAST_PLACE else place
        self.reached, self.is_placed, self.words, self.sought = place, False, [], self.clock()
        self.is_first, self.aim, self.is_filled, self.is_seeking = True, place, False, True
        if self.vlc.libvlc_media_player_get_state(self.item.player) == ENDED:
            # It takes no seek any more, and is begun anew.
            self.item.let_go()
            self.is_flushed, self.is_held = True, not self.is_wanted
            self.item = Item(self, self.queue.current["url"], self.is_held, place)
            return True
        self.vlc.libvlc_media_player_set_time(self.item.player, int(place * 1000))
        return True

    def show(self, is_shown):
        self.is_pictured = False
        if self.outside and not is_shown:
            self.outside.clear()
        if self.item and self.is_ready:
            self.vlc.libvlc_video_set_track(self.item.player, self.picture() if is_shown else -1)

    def picture(self):
        """The track with the picture, -1 for none: it may be another one behind a seek."""
        first = track = self.vlc.libvlc_video_get_track_description(self.item.player)
        found = -1
        while track:
            found, track = max(found, track.contents.id), track.contents.next
        if first:
            self.vlc.libvlc_track_description_list_release(first)
        return found


def main():
    VLC().run()
