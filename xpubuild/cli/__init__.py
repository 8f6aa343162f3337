"""The console command: parse, call one workflow, draw, exit."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

from xpubuild.errors import XpubuildError, exit_code_of

_INTERRUPTED = 130


class Terminated(BaseException):
    """SIGTERM: unwinds like an interrupt, so that whatever was begun is ended."""


def main() -> NoReturn:
    """Run the command line. Exit codes are those of `xpubuild.errors`; 130 after Ctrl-C, 143 after SIGTERM."""
    from xpubuild.cli.app import app

    signal.signal(signal.SIGTERM, _terminate)
    try:
        code = app(standalone_mode=False)
    except XpubuildError as fault:
        _draw(fault)
        sys.exit(exit_code_of(fault))
    except (KeyboardInterrupt, EOFError):
        code = _INTERRUPTED
    except Terminated:
        sys.stderr.write("terminated: what was finished is kept, nothing is left running\n")
        sys.exit(143)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except Exception as fault:  # noqa: BLE001 - the outermost frame: nothing may end in a traceback
        code = _usage(fault)
    if code == _INTERRUPTED:
        # The parser's library turns the interrupt into this code.
        sys.stderr.write("\ninterrupted: what was finished is kept, nothing is left running\n")
    sys.exit(code if isinstance(code, int) else 0)


def _terminate(_signal: int, _frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Terminated


def _draw(fault: XpubuildError) -> None:
    from xpubuild.console.faults import fault_document, fault_text

    if "--json" in sys.argv:
        import json

        sys.stdout.write(json.dumps(fault_document(fault)) + "\n")
    sys.stderr.write(fault_text(fault))


def _usage(fault: Exception) -> int:
    """What the command line's parser says of a wrong command line; anything else is a fault of ours."""
    show = getattr(fault, "show", None)
    if show is not None:
        show()
        return 2
    if type(fault).__name__ == "Abort":
        return _INTERRUPTED
    if hasattr(fault, "exit_code"):
        return int(fault.exit_code)
    return _ours(fault)


def _ours(fault: Exception) -> int:
    """A fault of xpubuild itself: the traceback goes to a file for whoever mends it."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="xpubuild-fault-", suffix=".txt", delete=False) as file:
        traceback.print_exception(fault, file=file)
    sys.stderr.write(
        f"error: xpubuild itself is at fault: {type(fault).__name__}: {fault}\n\nhint: report it with {file.name}\n"
    )
    return 70
