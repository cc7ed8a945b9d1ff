"""A driver for VLC, through libvlc: audio and frames are delivered to this program, which discards them.

The output is the audio: VLC delivers each chunk with the time when it is due. Frames are reported with the audio,
because VLC repeats the last frame when it has no new one and does not identify frames.

For `record`, each frame is shown when VLC calls for that, and each chunk of audio is played when it is due
(presenter.py).
"""

import collections
import ctypes
import os
import sys
import threading
import time
from typing import Any

from segue_drivers import libvlc
from segue_drivers.playback import Playback
from segue_drivers.processes import shut_down_connections

# The format of audio and frames that are discarded: little of them is used, so little is requested.
SAMPLE_RATE, FRAME_SIDE = 48000, 16
# All times are in seconds. VLC's reported position is often late by over a second, and never early: after MEASURING,
# the earliest report counts if it differs from the position of the audio by more than DRIFT.
DRIFT, MEASURING = 0.5, 3.0
# Audio is accepted this long before it is due; a presenter needs it earlier.
LEAD, PRESENTER_LEAD = 0.1, 0.3
# The longest waits for a chunk of audio, and for the last one.
CHUNK_WAIT, DRAIN_WAIT = 0.2, 1.0
# If VLC does not stop within STOP_WAIT, its connections are shut down, and again up to CUTS times every CUT_WAIT.
STOP_WAIT, CUTS, CUT_WAIT = 0.5, 40, 0.05
# A seek ends at least this far before the end of an item; at the end, VLC is done with the item.
END_DISTANCE = 0.15
# A paused seek without audio for this long has ended, as there may be none near the end.
NO_AUDIO = 0.5
# An opened item waits this long for `play`. VLC opens only by playing; an item that starts paused resumes by a lock
# that VLC's loader holds while it buffers, which may take long.
OPEN_WAIT = 0.25
# The longest times until VLC discards its buffers after a seek, and until the seek ends.
FLUSH_WAIT, SEEK_WAIT = 0.3, 5.0


class Item:
    """A VLC media player for one item."""

    def __init__(self, driver, url, is_paused, position=0.0):
        self.driver, self.vlc = driver, driver.vlc
        media = self.vlc.libvlc_media_new_location(driver.instance, url.encode())
        if is_paused:
            self.vlc.libvlc_media_add_option(media, b":start-paused")
        if position > 0:
            self.vlc.libvlc_media_add_option(media, f":start-time={position:.3f}".encode())
        self.player = self.vlc.libvlc_media_player_new_from_media(media)
        self.vlc.libvlc_media_release(media)
        self.presenter = driver.presenter
        screen = self.presenter.screen if self.presenter else None
        width, height = (screen.width, screen.height) if screen else (FRAME_SIDE, FRAME_SIDE)
        self.pixels, self.channels = ctypes.create_string_buffer(width * height * 4), 2 if screen else 1
        # ctypes callbacks must be kept alive.
        self.on_event = libvlc.EventCallback(self.receive_event)
        self.on_audio = libvlc.AudioPlay(self.receive_audio)
        self.on_flush, self.on_drain = libvlc.AudioFlush(self.flush), libvlc.AudioDrain(self.drain)
        self.on_lock, self.on_display = libvlc.VideoLock(self.lock), libvlc.VideoDisplay(self.display)
        # The time when the last chunk of audio ends.
        self.audio_end = 0.0
        self.vlc.libvlc_audio_set_format(self.player, b"S16N", SAMPLE_RATE, self.channels)
        self.vlc.libvlc_audio_set_callbacks(self.player, self.on_audio, None, None, self.on_flush, self.on_drain, None)
        self.vlc.libvlc_video_set_format(self.player, b"RV32", width, height, width * 4)
        self.vlc.libvlc_video_set_callbacks(self.player, self.on_lock, None, self.on_display, None)
        manager = self.vlc.libvlc_media_player_event_manager(self.player)
        for kind in (libvlc.BUFFERING, libvlc.END_REACHED, libvlc.ENCOUNTERED_ERROR, libvlc.TIME_CHANGED):
            self.vlc.libvlc_event_attach(manager, kind, self.on_event, None)
        self.vlc.libvlc_media_player_play(self.player)

    # VLC's threads; callbacks must not call VLC

    def post(self, action, *arguments):
        self.driver.post(lambda: self is self.driver.item and action(*arguments))

    def receive_event(self, event, _):
        event, at = event.contents, self.driver.clock()
        if event.type == libvlc.TIME_CHANGED:
            self.post(self.driver.handle_time, event.value.time / 1000, at)
        elif event.type == libvlc.BUFFERING:
            self.post(self.driver.handle_buffering, event.value.cache)
        elif event.type == libvlc.END_REACHED:
            self.post(self.driver.handle_end, at)
        elif event.type == libvlc.ENCOUNTERED_ERROR:
            self.post(self.driver.item_failed, "VLC", 0, "VLC cannot play it")

    def receive_audio(self, _, samples, count, due):
        due, duration = due / 1e6, count / SAMPLE_RATE
        if self.presenter and self is self.driver.item:
            self.presenter.play(ctypes.string_at(samples, 2 * self.channels * count), due)
        self.post(self.driver.handle_audio, self.driver.clock(), due, duration)
        self.audio_end = due + duration
        # VLC waits here, as for a device with a small buffer.
        self.wait(due - (PRESENTER_LEAD if self.presenter else LEAD), CHUNK_WAIT)

    def drain(self, _):
        self.wait(self.audio_end, DRAIN_WAIT)

    def wait(self, until, limit):
        time.sleep(max(0.0, min(limit, until - self.driver.clock())))

    def flush(self, *_):
        if self.presenter and self is self.driver.item:
            self.presenter.flush()
        self.post(self.driver.handle_flush)

    def lock(self, _, planes):
        planes[0] = ctypes.addressof(self.pixels)

    def display(self, *_):
        if self.presenter and self is self.driver.item and self.driver.is_video_enabled:
            self.presenter.show(self.pixels)
        self.post(self.driver.handle_frame, self.driver.clock())

    def close(self):
        """Stops the player; while it waits for data it reconnects, so its connections are shut down until it stops."""
        done = threading.Event()

        def stop():
            self.vlc.libvlc_media_player_stop(self.player)
            self.vlc.libvlc_media_player_release(self.player)
            self.driver.closing.discard(self)
            done.set()

        self.driver.closing.add(self)
        threading.Thread(target=stop, daemon=True).start()
        timeout = STOP_WAIT
        for _ in range(CUTS):
            if done.wait(timeout):
                return
            shut_down_connections()
            timeout = CUT_WAIT


def make_presenter():
    """Returns a presenter for `record`, or None."""
    if not os.environ.get("SEGUE_SHOWN"):
        return None
    # It needs libraries that the driver alone does not.
    from segue_drivers.presenter import Presenter

    return Presenter()


class VLC(Playback):
    def __init__(self):
        try:
            self.vlc = libvlc.load()
        except OSError as error:
            sys.exit(f"driver: VLC is not installed: {error}; on Debian: apt-get install vlc-bin vlc-plugin-base")
        options = [b"--no-video-title-show", b"--quiet", b"--no-xlib", b"--no-input-fast-seek"]
        self.instance = self.vlc.libvlc_new(len(options), (ctypes.c_char_p * len(options))(*options))
        if not self.instance:
            sys.exit("driver: VLC does not start")
        self.presenter = make_presenter()
        self.item: Any = None
        self.closing: set[Item] = set()
        # The URL of an opened item, and the time until which it waits for `play`.
        self.opened: tuple[str, float] | None = None
        self.has_shown_frame = self.is_paused = False
        # Chunks of audio that are not due yet: [due, duration, rate]. `next_position` is where the next one begins.
        self.chunks: collections.deque[list[float]] = collections.deque()
        self.next_position, self.is_flushed, self.is_first = 0.0, True, True
        # The target of a seek after which nothing has been heard, and when the seek began.
        self.target: float | None = None
        self.is_seeking, self.seek_time = False, 0.0
        # VLC's reported positions, as (time, difference from the audio's), and whether they have been compared.
        self.reports: list[tuple[float, float]] = []
        self.is_compared = self.is_buffered = False
        super().__init__(f"VLC {self.vlc.libvlc_get_version().decode().split()[0]}")

    # Reports of VLC

    @property
    def duration(self):
        length = self.vlc.libvlc_media_player_get_length(self.item.player) if self.item else 0
        return length / 1000 if length > 0 else -1.0

    def handle_audio(self, at, due, duration):
        if self.is_flushed and self.is_first:
            # VLC's clock starts now, at the requested position; the audio starts with its next packet, when that is
            # due.
            self.is_first = self.is_seeking = False
            self.seek_completed(self.next_position, at)
            self.next_position += max(0.0, due - at) * self.rate
        self.chunks.append([due, duration, self.rate])

    def handle_flush(self):
        self.chunks.clear()
        self.is_flushed = True
        if self.target is not None:
            self.next_position, self.is_first = self.target, True

    def handle_frame(self, at):
        self.has_shown_frame = True
        if self.is_ready and not self.has_track["sound"] and not self.is_paused and self.is_buffered:
            self.seek_completed(self.next_position)
            output, position = self.outputs["picture"], self.next_position
            if output.is_active:
                position = output.position_at(at, self.rate) + max(0.0, at - output.time) * self.rate
            self.output_advanced("picture", at, position, at, position)
            self.next_position = position

    def handle_buffering(self, percent):
        self.is_buffered = percent >= 100

    def handle_time(self, position, at):
        """Corrects the position of the audio by VLC's reports, which change in steps of up to a second."""
        output = self.outputs["sound"]
        if not output.is_active or self.is_compared:
            self.reports = []
            return
        self.reports.append((at, position - output.position_at(at, self.rate)))
        if at - self.reports[0][0] < MEASURING:
            return
        difference, self.is_compared = max(difference for _, difference in self.reports), True
        if abs(difference) > DRIFT:
            self.next_position += difference
            position = round(output.position_at(at, self.rate) + difference, 6)
            self.send_event("item.timeJumped", at, item=self.queue.name, position=position)

    def handle_end(self, at):
        if self.wants_play:
            self.item_ended(at)

    def poll(self):
        if self.opened and self.clock() >= self.opened[1]:
            self.make(self.opened[0], True)
        if not self.item:
            return
        self.check_ready()
        now = self.clock()
        if not self.is_flushed and now - self.seek_time < FLUSH_WAIT:
            return
        self.is_flushed = True
        # Near the end VLC does not report a full buffer.
        is_buffered = self.is_buffered or 0 < self.duration <= self.next_position + 1
        if self.is_paused and self.is_seeking and is_buffered and now - self.seek_time > NO_AUDIO:
            self.is_seeking = False
            self.seek_completed(self.next_position)
        while self.chunks and self.chunks[0][0] <= now and not self.is_paused:
            self.target = None
            due, duration, rate = self.chunks.popleft()
            position, self.next_position = self.next_position, self.next_position + duration * rate
            for kind in ("sound", "picture") if self.has_shown_frame else ("sound",):
                self.output_advanced(kind, due, position, due + duration, self.next_position)

    def check_ready(self):
        """Detects an item that can be played, which VLC does not report: it has tracks and some output."""
        if self.is_ready or not self.item or not self.is_open():
            return
        has_audio = self.vlc.libvlc_audio_get_track_count(self.item.player) > 0
        has_video = self.vlc.libvlc_video_get_track_count(self.item.player) > 0
        if self.chunks or (self.has_shown_frame and not has_audio):
            self.item_ready(has_audio, has_video)
            if self.rate != 1:
                self.set_rate(self.rate)
            if not self.is_video_enabled:
                self.set_video_enabled(False)

    def is_open(self):
        return self.vlc.libvlc_media_player_get_state(self.item.player) in (libvlc.PLAYING, libvlc.PAUSED)

    # Playback

    def load(self, item):
        self.stop()
        if self.wants_play:
            self.make(item["url"], False)
        else:
            self.opened = item["url"], self.clock() + OPEN_WAIT

    def make(self, url, is_paused):
        self.opened, self.is_paused = None, is_paused
        self.item = Item(self, url, is_paused)

    def stop(self):
        if self.item:
            self.item.close()
        self.item, self.opened = None, None
        self.chunks.clear()
        if self.presenter:
            self.presenter.flush()
            self.presenter.clear()
        self.next_position, self.is_flushed = 0.0, True
        self.has_shown_frame = self.is_buffered = self.is_compared = False
        self.is_first, self.target, self.is_seeking = True, None, False

    def resume(self):
        if self.opened:
            self.make(self.opened[0], False)
            return
        if not self.item:
            return
        self.vlc.libvlc_media_player_set_pause(self.item.player, 0)
        self.is_paused, now = False, self.clock()
        if self.presenter:
            self.presenter.resume()
        # The chunks that were delivered before the pause resume where they stopped.
        if self.chunks and self.chunks[0][0] < now:
            delay = now - self.chunks[0][0]
            for chunk in self.chunks:
                chunk[0] += delay

    def pause(self):
        if self.item:
            self.vlc.libvlc_media_player_set_pause(self.item.player, 1)
            self.is_paused = True
            if self.presenter:
                self.presenter.pause()

    def set_rate(self, rate):
        # `check_ready` sets the rate of an item that does not exist yet.
        if self.item:
            self.vlc.libvlc_media_player_set_rate(self.item.player, rate)
        return True

    def start_seek(self, position):
        # VLC forgets a seek that comes during another one.
        if self.is_seeking and self.clock() - self.seek_time < SEEK_WAIT:
            return False
        self.chunks.clear()
        # Audio that comes before VLC flushes its buffers is from before the seek.
        self.is_flushed = not self.has_track["sound"]
        position = min(position, self.duration - END_DISTANCE) if self.duration > END_DISTANCE else position
        self.next_position, self.is_compared, self.reports, self.seek_time = position, False, [], self.clock()
        self.is_first, self.target, self.is_buffered, self.is_seeking = True, position, False, True
        if self.vlc.libvlc_media_player_get_state(self.item.player) == libvlc.ENDED:
            # A player that has ended ignores seeks.
            self.item.close()
            self.is_flushed, self.is_paused = True, not self.wants_play
            self.item = Item(self, self.queue.current["url"], self.is_paused, position)
        else:
            self.vlc.libvlc_media_player_set_time(self.item.player, int(position * 1000))
        return True

    def set_video_enabled(self, is_enabled):
        self.has_shown_frame = False
        if self.presenter and not is_enabled:
            self.presenter.clear()
        if self.item and self.is_ready:
            self.vlc.libvlc_video_set_track(self.item.player, self.video_track() if is_enabled else -1)

    def video_track(self):
        """Returns the ID of the last video track, which may change with a seek; -1 for none."""
        first = track = self.vlc.libvlc_video_get_track_description(self.item.player)
        found = -1
        while track:
            found, track = max(found, track.contents.id), track.contents.next
        if first:
            self.vlc.libvlc_track_description_list_release(first)
        return found


def main():
    VLC().run()
