"""Assembles the command line. What serves is imported only by the commands that serve, so that help comes at once."""

import errno
import sys
from typing import Annotated

import typer

from sayso import __version__
from sayso.cli import (
    answer,
    apply,
    audit,
    backup,
    check,
    config,
    definitions,
    demo,
    doctor,
    erase,
    keys,
    migrate,
    months,
    notices,
    playbooks,
    rebuild,
    runs,
    serve,
    status,
    tokens,
    transfer,
    trying,
    worker,
)
from sayso.cli.screen import leave_output, settle_streams
from sayso.cli.usage import Command, Commands

# What a write to standard output fails with where the disk below it is full or broken.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})

app = typer.Typer(
    name="sayso",
    cls=Commands,
    help="Ask a person or a system a question, wait at the cost of a row, go on with a checked answer.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"sayso {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="The version.")] = False,
) -> None:
    pass


app.command("serve", cls=Command)(serve.serve)
app.command("worker", cls=Command)(worker.worker)
app.command("migrate", cls=Command)(migrate.migrate)
app.command("status", cls=Command)(status.status)
app.command("backup", cls=Command)(backup.backup)
app.command("rebuild", cls=Command)(rebuild.rebuild)
app.command("audit", cls=Command)(audit.audit)
app.command("doctor", cls=Command)(doctor.doctor)
app.command("months", cls=Command)(months.months)
app.command("transfer", cls=Command)(transfer.transfer)
app.add_typer(keys.app, name="keys")
app.add_typer(config.app, name="config")
app.add_typer(notices.app, name="notices")
app.command("check", cls=Command)(check.check)
app.command("try", cls=Command)(trying.try_)
app.command("save", cls=Command)(runs.save)
app.command("apply", cls=Command)(apply.apply)
app.add_typer(playbooks.app, name="playbooks")
app.add_typer(definitions.app, name="definitions")
app.command("run", cls=Command)(runs.run)
app.command("list", cls=Command)(runs.list_requests)
app.command("show", cls=Command)(runs.show_run)
app.command("answer", cls=Command)(answer.answer)
app.command("cancel", cls=Command)(runs.cancel)
app.command("reassign", cls=Command)(runs.reassign)
app.add_typer(tokens.app, name="tokens")
app.command("erase", cls=Command)(erase.erase)
app.command("demo", cls=Command)(demo.demo)


def run() -> None:
    """The program ``sayso``."""
    settle_streams()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        leave_output()
        sys.exit(1)
    except OSError as fault:
        if fault.errno not in NO_ROOM:
            raise
        leave_output()
        sys.exit(f"sayso: The output cannot be written: {fault.strerror}.")


if __name__ == "__main__":
    run()
