"""The folder of `saegim dev` is readable by its owner only."""

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from saegim.cli.dev.run import RunOptions, make_private, run
from saegim.cli.environment import DataFolder, load


@pytest.fixture(autouse=True)
def umask_as_before() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_dev_folder_and_logs_are_private_to_their_owner(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.path.mkdir(mode=0o755)

    make_private(folder)
    folder.api_log.open("a").close()

    # As root the server's own user has to pass; it can list nothing.
    allowed = 0o700 if os.geteuid() else 0o701
    assert stat.S_IMODE(folder.path.stat().st_mode) == allowed
    assert stat.S_IMODE(folder.api_log.stat().st_mode) == 0o600


def test_restore_without_a_master_key_makes_the_folder_for_it(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "new")
    settings = load(data=folder.path)
    with socket.socket() as sock, pytest.raises(typer.Exit):
        run(settings, sock, RunOptions(restore=tmp_path / "file"))
    folder.master_key.write_text("key")
