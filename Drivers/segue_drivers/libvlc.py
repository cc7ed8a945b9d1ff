"""The part of libvlc 3 that the driver for VLC uses."""

import ctypes

from segue_drivers.native import load_library

# libvlc_event_e.
BUFFERING, END_REACHED, ENCOUNTERED_ERROR, TIME_CHANGED = 0x103, 0x109, 0x10A, 0x10B
# libvlc_state_t.
PLAYING, PAUSED, ENDED = 3, 4, 6

Handle, Integer = ctypes.c_void_p, ctypes.c_int


class Track(ctypes.Structure):
    pass


Track._fields_ = [("id", Integer), ("name", ctypes.c_char_p), ("next", ctypes.POINTER(Track))]


class Event(ctypes.Structure):
    class Value(ctypes.Union):
        _fields_ = [("cache", ctypes.c_float), ("time", ctypes.c_int64)]

    _fields_ = [("type", Integer), ("object", Handle), ("value", Value)]


EventCallback = ctypes.CFUNCTYPE(None, ctypes.POINTER(Event), Handle)
AudioPlay = ctypes.CFUNCTYPE(None, Handle, Handle, ctypes.c_uint, ctypes.c_int64)
AudioFlush = ctypes.CFUNCTYPE(None, Handle, ctypes.c_int64)
AudioDrain = ctypes.CFUNCTYPE(None, Handle)
VideoLock = ctypes.CFUNCTYPE(Handle, Handle, ctypes.POINTER(Handle))
VideoDisplay = ctypes.CFUNCTYPE(None, Handle, Handle)

FUNCTIONS = {
    "libvlc_new": (Handle, Integer, ctypes.POINTER(ctypes.c_char_p)),
    "libvlc_get_version": (ctypes.c_char_p,),
    "libvlc_media_new_location": (Handle, Handle, ctypes.c_char_p),
    "libvlc_media_add_option": (None, Handle, ctypes.c_char_p),
    "libvlc_media_release": (None, Handle),
    "libvlc_media_player_new_from_media": (Handle, Handle),
    "libvlc_media_player_release": (None, Handle),
    "libvlc_media_player_event_manager": (Handle, Handle),
    "libvlc_event_attach": (Integer, Handle, Integer, EventCallback, Handle),
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
    "libvlc_audio_set_callbacks": (None, Handle, AudioPlay, Handle, Handle, AudioFlush, AudioDrain, Handle),
    "libvlc_video_set_format": (None, Handle, ctypes.c_char_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint),
    "libvlc_video_set_callbacks": (None, Handle, VideoLock, Handle, VideoDisplay, Handle),
}


def load():
    return load_library("libvlc.so.5", FUNCTIONS)
