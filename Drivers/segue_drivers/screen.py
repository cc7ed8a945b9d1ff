"""Puts frames on an X screen at known times, through libX11."""

import ctypes
import time

from segue_drivers.native import load_library

Handle, Long, Integer, Unsigned = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_uint
FUNCTIONS = {
    "XOpenDisplay": (Handle, ctypes.c_char_p),
    "XDefaultScreen": (Integer, Handle),
    "XDisplayWidth": (Integer, Handle, Integer),
    "XDisplayHeight": (Integer, Handle, Integer),
    "XRootWindow": (Long, Handle, Integer),
    "XDefaultVisual": (Handle, Handle, Integer),
    "XDefaultDepth": (Integer, Handle, Integer),
    "XDefaultGC": (Handle, Handle, Integer),
    "XCreateImage": (Handle, Handle, Handle, Unsigned, Integer, Integer, Handle, Unsigned, Unsigned, Integer, Integer),
    "XPutImage": (Integer, Handle, Long, Handle, Handle, Integer, Integer, Integer, Integer, Unsigned, Unsigned),
    "XSync": (Integer, Handle, Integer),
}
Z_PIXMAP = 2
# Bytes of a pixel: blue, green, red, unused.
PIXEL = 4


class Screen:
    """The screen `DISPLAY`, 24 bits deep; frames have its size unless another one is given."""

    def __init__(self, width=None, height=None):
        self.x11 = load_library("libX11.so.6", FUNCTIONS)
        self.display = self.x11.XOpenDisplay(None)
        if not self.display:
            raise OSError("cannot open the X display; DISPLAY must name one")
        number = self.x11.XDefaultScreen(self.display)
        self.width = width or self.x11.XDisplayWidth(self.display, number)
        self.height = height or self.x11.XDisplayHeight(self.display, number)
        self.root = self.x11.XRootWindow(self.display, number)
        self.context = self.x11.XDefaultGC(self.display, number)
        self.size = self.width * self.height * PIXEL
        self.pixels = ctypes.create_string_buffer(self.size)
        visual, depth = (self.x11.XDefaultVisual(self.display, number), self.x11.XDefaultDepth(self.display, number))
        data, bits = ctypes.addressof(self.pixels), 8 * PIXEL
        self.image = self.x11.XCreateImage(
            self.display, visual, depth, Z_PIXMAP, 0, data, self.width, self.height, bits, 0
        )

    def put(self, frame):
        """Puts a frame on the screen; returns the times (`time.time`) between which that happened."""
        ctypes.memmove(self.pixels, frame, self.size)
        before = time.time()
        self.x11.XPutImage(self.display, self.root, self.context, self.image, 0, 0, 0, 0, self.width, self.height)
        # XSync returns after the server has handled the frame.
        self.x11.XSync(self.display, 0)
        return before, time.time()
