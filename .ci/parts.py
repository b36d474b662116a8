"""Run the parts of the test suite, each with a time limit, and sum up at the end.

Usage: python .ci/parts.py [part ...]   (all of them when none is named)

Servers are throw-away: a PostgreSQL cluster and a Redis in a temporary folder, on free
ports, stopped and removed at the end. As root, PostgreSQL runs as another user, since
it refuses to run as root.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
PYTHON = str(BIN / "python")
PYTEST = [PYTHON, "-m", "pytest", "-q", "--timeout=180"]
PRODUCTION = {
    "SECRET_KEY": "check-only-" + "0123456789abcdefghijklmnopqrstuvwxyz-" * 2,
    "SITE_URL": "https://shop.example",
    "SELLER_IS_SAMPLE": "false",
}
CHECKS = (
    ("format", [BIN / "ruff", "format", "--check", "--quiet", "."]),
    ("lint", [BIN / "ruff", "check", "--quiet", "."]),
    ("types", [BIN / "mypy"]),
    ("layers", [BIN / "lint-imports"]),
    ("templates", [BIN / "djlint", "templates", "--lint", "--quiet"]),
    ("migrations", [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"]),
    ("deploy", [PYTHON, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]),
)


@dataclass(frozen=True)
class Result:
    """What became of one part."""

    name: str
    passed: int
    failed: int
    skipped: int
    seconds: float
    note: str = ""


class CannotRun(Exception):
    """A part's server or browser is not on this machine."""


def run(command: list[str | Path], seconds: int, **env: str) -> tuple[int, str]:
    """Run a command in its own process group; past `seconds` all of it is killed."""
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return 124, f"{output}\nStopped after {seconds} seconds."
    return process.returncode, output


def check() -> Result:
    """Style, types, layers, templates, migrations and the deployment check."""
    begin = time.monotonic()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, command in CHECKS:
            code, output = run(list(command), 300, VAR_DIR=folder, **PRODUCTION)
            if code:
                failed.append(name)
                print(f"-- {name}\n{output.strip()[-4000:]}\n")
    took = time.monotonic() - begin
    passed = len(CHECKS) - len(failed)
    return Result("checks", passed, len(failed), 0, took, ", ".join(failed))


def tests(name: str, arguments: list[str], seconds: int, **env: str) -> Result:
    """Run pytest and read its closing line."""
    begin = time.monotonic()
    code, output = run([*PYTEST, *arguments], seconds, **env)
    took = time.monotonic() - begin
    counts = {
        word: int(number)
        for number, word in re.findall(
            r"(\d+) (passed|failed|error|skipped)", closing_line(output)
        )
    }
    failed = counts.get("failed", 0) + counts.get("error", 0)
    # A run that passed nothing has checked nothing.
    if not failed and (code or not counts.get("passed")):
        failed = 1
    if code:
        print(f"-- {name}\n{output.strip()[-12000:]}\n")
    note = f"exit {code}" if code else ""
    return Result(
        name, counts.get("passed", 0), failed, counts.get("skipped", 0), took, note
    )


def closing_line(output: str) -> str:
    """Return pytest's last line, whatever a library logs after it."""
    lines = re.findall(
        r"^.*\b(?:passed|failed|errors?)\b.* in [\d.]+s.*$", output, re.M
    )
    return lines[-1] if lines else ""


def sqlite() -> Result:
    """The suite on SQLite."""
    return tests("suite on SQLite", ["-n", "2", "-m", "not e2e and not services"], 1200)


def postgres() -> Result:
    """The suite on a throw-away PostgreSQL, with real Redis and workers beside it."""
    with postgres_server() as database, redis_server() as redis:
        env = {"DATABASE_URL": database, "TEST_REDIS_URL": redis}
        arguments = ["-n", "2", "-m", "not e2e", "--ignore=tests/fabrics/engine"]
        return tests("suite on PostgreSQL with Redis", arguments, 1200, **env)


def browser() -> Result:
    """The walks in a real browser, with a real worker."""
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        raise CannotRun("Chromium is not installed")
    return tests("browser", ["-m", "e2e", "--timeout=300"], 1200)


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """Start a PostgreSQL cluster that forgets everything; yield its address."""
    initdb = shutil.which("initdb") or next(
        iter(sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)), ""
    )
    if not initdb:
        raise CannotRun("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="sourceit-pg-"))
    user = _server_user()
    shutil.chown(folder, user) if user else None
    port = free_port()
    bin_folder = Path(initdb).resolve().parent
    try:
        _as(user, [initdb, "-D", folder / "data", "-U", "sourceit", "-A", "trust"])
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off "
            "-c full_page_writes=off -c synchronous_commit=off -c max_connections=200"
        )
        pg_ctl = bin_folder / "pg_ctl"
        log = folder / "log"
        start = [pg_ctl, "-D", folder / "data", "-w", "-o", options, "-l", log, "start"]
        _as(user, start)
        try:
            yield f"postgres://sourceit@127.0.0.1:{port}/postgres"
        finally:
            stop = [pg_ctl, "-D", folder / "data", "-m", "immediate", "stop"]
            _as(user, stop, check=False)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _server_user() -> str:
    """PostgreSQL's own user when root, else nobody else."""
    if os.geteuid() != 0:
        return ""
    names = Path("/etc/passwd").read_text()
    return "postgres" if re.search(r"^postgres:", names, re.M) else "nobody"


def _as(user: str, command: list[str | Path], *, check: bool = True) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd="/",
        user=user or None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
    )
    if check and done.returncode:
        raise CannotRun(f"{words[0]} failed: {done.stderr.strip()[-300:]}")


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """Start a Redis that keeps nothing; yield its address."""
    if not shutil.which("redis-server"):
        raise CannotRun("Redis is not installed")
    port = free_port()
    words = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    server = subprocess.Popen(
        [*words, "--appendonly", "no"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        cwd=tempfile.gettempdir(),
    )
    try:
        wait_for(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(timeout=20)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", port), timeout=1),
        ):
            return
        time.sleep(0.1)
    raise CannotRun(f"nothing answers on port {port}")


PARTS = {"check": check, "sqlite": sqlite, "postgres": postgres, "browser": browser}


def main(wanted: list[str]) -> int:
    results = []
    for name in wanted or list(PARTS):
        print(f"== {name}", flush=True)
        try:
            result = PARTS[name]()
        except CannotRun as error:
            # On Debian as root everything installs, so nothing may be missing there.
            must = os.geteuid() == 0 and shutil.which("apt-get") is not None
            result = Result(name, 0, int(must), 1, 0, f"could not run: {error}")
        results.append(result)
        print(_line(result), flush=True)
    print("\nSummary")
    for result in results:
        print(_line(result))
    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    skipped = sum(result.skipped for result in results)
    print(f"\n{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def _line(result: Result) -> str:
    words = f"  {result.name:<32} {result.passed:>5} passed {result.failed:>3} failed"
    return (
        f"{words} {result.skipped:>3} skipped {result.seconds:>6.0f} s  {result.note}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
