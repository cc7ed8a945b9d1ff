"""Loads C libraries."""

import ctypes


def load_library(name, functions):
    """Loads a library; `functions` maps names to the result type followed by the argument types."""
    library = ctypes.CDLL(name)
    for function_name, (result, *arguments) in functions.items():
        function = getattr(library, function_name)
        function.restype, function.argtypes = result, arguments
    return library
