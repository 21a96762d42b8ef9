"""``sayso config``: check a configuration file, and show which settings count and where each came from."""

import os
from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.commands import AsJson, Config, refusals_shown
from sayso.cli.refusals import not_possible
from sayso.cli.screen import Screen
from sayso.cli.usage import Command

app = typer.Typer(help="The configuration.", no_args_is_help=True)

_File = Annotated[Path, typer.Argument(metavar="FILE", help="The configuration file.")]


@app.command(cls=Command)
def check(file: _File, as_json: AsJson = False) -> None:
    """Check a configuration file, and say every fault with its line and column. Values are never shown.

    References are filled from this environment, as at a start.
    """
    from sayso.config import file as config_file
    from sayso.settings import BadSetting, Settings

    screen = Screen(as_json=as_json)
    found = config_file.look(file, os.environ)
    faults = list(found.faults)
    if not faults:
        try:
            Settings(**found.values)
        except BadSetting as refused:
            faults.append(refused.at(found.places.get(refused.setting)))
    if as_json:
        screen.json({"settings": sorted(found.places), "faults": [str(fault) for fault in faults]})
    else:
        for fault in faults:
            screen.line(str(fault))
        if not faults:
            screen.line(f"{file}: {len(found.places)} settings, no fault.")
    if faults:
        raise typer.Exit(1)


@app.command(cls=Command)
def show(config: Config = None, as_json: AsJson = False) -> None:
    """Show which settings a server started here would have, and where each came from. Secrets are never shown."""
    from sayso.config.table import TABLE
    from sayso.settings import BadSetting, Settings

    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        try:
            settings = Settings.given(config_file=config)
        except BadSetting as fault:
            raise not_possible(str(fault)) from None
    rows = [(one.name, settings.shown(one.name), settings.sources.get(one.name, "default")) for one in TABLE]
    if as_json:
        screen.json({name: {"value": value, "from": source} for name, value, source in rows})
    else:
        screen.table(("SETTING", "VALUE", "FROM"), [(name, value or "", source) for name, value, source in rows])
