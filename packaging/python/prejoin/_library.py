"""The C library, as include/prejoin/prejoin.h declares it."""

import ctypes
import functools
import os
import pathlib

ABI_VERSION = 1


class PrejoinError(Exception):
    """What the library reports: options it cannot read, a folder that cannot be opened."""


class LibraryError(PrejoinError):
    """The library cannot be loaded here. `prejoin.start()` needs no library: it runs the program."""


def _path():
    given = os.environ.get("PREJOIN_LIBRARY")
    return given if given else str(pathlib.Path(__file__).parent / "lib" / "libprejoin.so.1")


@functools.lru_cache(maxsize=None)
def load():
    path = _path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise LibraryError(f"cannot load {path}: {error}. The embedded database requires glibc 2.34 or newer (Debian 12, Ubuntu 22.04, "
                           "RHEL 9); prejoin.start() runs a server on any Linux.") from error
    handle, text = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    declared = {
        "prejoin_abi_version": (ctypes.c_int, []),
        "prejoin_version": (ctypes.c_char_p, []),
        "prejoin_open": (ctypes.c_int, [ctypes.c_char_p, ctypes.POINTER(handle), text]),
        "prejoin_close": (None, [handle]),
        "prejoin_call": (ctypes.c_int, [handle, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t, text, ctypes.POINTER(ctypes.c_size_t)]),
        "prejoin_snapshot_take": (ctypes.c_int, [handle, ctypes.POINTER(handle), text]),
        "prejoin_snapshot_restore": (ctypes.c_int, [handle, handle, text]),
        "prejoin_snapshot_open": (ctypes.c_int, [handle, ctypes.POINTER(handle), text]),
        "prejoin_snapshot_free": (None, [handle]),
        "prejoin_advance_clock": (None, [handle, ctypes.c_int64]),
        "prejoin_free": (None, [ctypes.c_void_p]),
    }
    for name, (result, arguments) in declared.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    if library.prejoin_abi_version() < ABI_VERSION:
        raise LibraryError(f"{path} is older than this package: its ABI is {library.prejoin_abi_version()}, not {ABI_VERSION}")
    return library


def checked(status, error):
    """Raises what a function wrote into `error`, a c_void_p, and frees it."""
    if status == 0:
        return
    message = "out of memory"
    if error.value:
        message = ctypes.string_at(error.value).decode("utf-8", "replace")
        load().prejoin_free(error)
    raise PrejoinError(message)
