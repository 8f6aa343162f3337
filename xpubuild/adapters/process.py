"""Run a `Command` and say how it ended."""

from __future__ import annotations

import os
import shlex
import subprocess

from xpubuild.errors import MachineError
from xpubuild.model.command import Command, Completed


def run_command(command: Command) -> Completed:
    """Run to the end, whatever the exit code.

    Raises:
        MachineError: the program is not there, or ran past its time.
    """
    try:
        done = subprocess.run(
            command.argv,
            check=False,
            input=command.stdin,
            stdin=None if command.stdin is not None else subprocess.DEVNULL,
            capture_output=True,
            cwd=command.directory,
            env=os.environ | dict(command.environment),
            timeout=command.seconds,
        )
    except FileNotFoundError as fault:
        raise MachineError(f"the program {command.argv[0]} is not installed") from fault
    except subprocess.TimeoutExpired as fault:
        raise MachineError(f"{command.argv[0]} did not end within {command.seconds:g} s") from fault
    return Completed(command=command, exit_code=done.returncode, stdout=done.stdout, stderr=done.stderr)


def require_command(command: Command) -> Completed:
    """Run, and demand exit code 0.

    Raises:
        MachineError: it ended otherwise; the last lines of its own output are the details.
    """
    done = run_command(command)
    if done.exit_code:
        tail = "\n".join((done.stderr or done.stdout).decode(errors="replace").splitlines()[-20:])
        raise MachineError(f"`{shlex.join(command.argv)}` ended with exit code {done.exit_code}", details=tail)
    return done
