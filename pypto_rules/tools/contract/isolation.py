"""Work in a process of its own: whatever happens there, this one goes on."""

from __future__ import annotations

import contextlib
import math
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass

_CRASH = 70  # EX_SOFTWARE of sysexits.h: the work raised
_INTERRUPTED = 130  # as shells have it
_CHUNK = 1 << 16
_ALIVE = b"\n"  # before the result


@dataclass(frozen=True)
class Limits:
    """What the process may use: seconds of CPU, seconds on the clock, bytes of address space.

    Work that says that it is alive gets the seconds anew, up to `most` seconds of CPU.
    """

    cpu: int = 120
    clock: int = 600
    memory: int = 4 << 30
    most: int = 3600


LIMITS = Limits()


class Died(Exception):
    """The process ended without a result; the text says how."""


class Crashed(Exception):
    """The work raised an exception, which is a fault of the work; the text is its traceback."""


Work = Callable[[Callable[[], None]], bytes]


def run(work: Work, limits: Limits) -> bytes:
    """The result of `work`, done in a child process; it is given a function to say that it is alive.

    Raises:
        Died: the process was ended: by itself, by a signal, or for using more than `limits`.
        Crashed: `work` raised.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # or the child would write it, too
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(work, writing, limits)
    os.close(writing)
    result = _read(reading, limits.clock)
    os.close(reading)
    if result is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if result is None:
        raise Died(f"took more than {limits.clock} s")
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == _CRASH and result:
        raise Crashed(result.decode("utf-8", "replace"))
    if status != 0 or not result:
        raise Died(_how(status, limits))
    return result


def _child(work: Work, writing: int, limits: Limits) -> None:
    status = _CRASH
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu, limits.most + 5))
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        result = work(lambda: _alive(writing, limits))
        status = 0
    except KeyboardInterrupt:
        status, result = _INTERRUPTED, b""
    except BaseException:  # nothing may get out of here into the parent's code
        import traceback

        result = traceback.format_exc().encode("utf-8", "backslashreplace")
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        with contextlib.suppress(OSError):
            while result:
                result = result[os.write(writing, result) :]
        os._exit(status)


def _alive(writing: int, limits: Limits) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = min(math.ceil(used.ru_utime + used.ru_stime) + limits.cpu, limits.most)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, limits.most + 5))
    os.write(writing, _ALIVE)


def _read(reading: int, seconds: int) -> bytes | None:
    """All the child writes, None when it writes nothing for longer than allowed."""
    parts = []
    while select.select([reading], [], [], seconds)[0]:
        part = os.read(reading, _CHUNK)
        if not part:
            return b"".join(parts).lstrip(_ALIVE)
        parts.append(part)
    return None


def _how(status: int, limits: Limits) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return f"took more than {limits.cpu} s of CPU"
        return f"was ended by the signal {signal.Signals(number).name}"
    return f"ended itself with the exit code {os.WEXITSTATUS(status)}"
