"""Pictures put on an X screen at moments that are known, by libX11."""

import ctypes
import time

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
# Bytes of a pixel: blue, green, red, and one that nobody looks at.
PIXEL = 4


class Screen:
    """The screen of DISPLAY, of 24 bits; a picture for it is as large as that, or as is said."""

    def __init__(self, width=None, height=None):
        self.x11 = ctypes.CDLL("libX11.so.6")
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(self.x11, name)
            function.restype, function.argtypes = result, arguments
        self.display = self.x11.XOpenDisplay(None)
        if not self.display:
            raise OSError("there is no screen")
        number = self.x11.XDefaultScreen(self.display)
        self.width = width or self.x11.XDisplayWidth(self.display, number)
        self.height = height or self.x11.XDisplayHeight(self.display, number)
        self.root = self.x11.XRootWindow(self.display, number)
        self.context = self.x11.XDefaultGC(self.display, number)
        self.size = self.width * self.height * PIXEL
        self.pixels = ctypes.create_string_buffer(self.size)
        self.image = self.x11.XCreateImage(
            self.display, self.x11.XDefaultVisual(self.display, number), self.x11.XDefaultDepth(self.display, number),
            Z_PIXMAP, 0, ctypes.addressof(self.pixels), self.width, self.height, 8 * PIXEL, 0)

    def put(self, picture):
        """Puts a picture on the screen; the moments, of the clock of days, between which that has happened."""
        ctypes.memmove(self.pixels, picture, self.size)
        before = time.time()
        self.x11.XPutImage(self.display, self.root, self.context, self.image, 0, 0, 0, 0, self.width, self.height)
        # The server answers what is asked now when the picture is there.
        self.x11.XSync(self.display, 0)
        return before, time.time()
