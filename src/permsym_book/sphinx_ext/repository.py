"""Launch buttons that open the reader's own copy.

The repository's address comes from ``_config.yml``. A book built inside a clone whose ``origin`` is
elsewhere, as in a fork, uses that address instead, so that nobody's button opens somebody else's copy.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

HOSTS = ("github.com", "gitlab.com")  # those for which the theme and Binder know the way in
URL = re.compile(r"(?:https?|ssh|git)://(?:[^@/]*@)?(?P<host>[^/:]+)(?::\d+)?/(?P<path>.+)")
SCP = re.compile(r"(?:[^@/:]+@)?(?P<host>[\w.-]+\.[\w-]+):(?P<path>[^/].*)")


def normalised(remote: str) -> str | None:
    """The web address behind a git remote, or None for a path on this machine.

    Parameters
    ----------
    remote : str
        What ``git config remote.origin.url`` says. Names and tokens in it are left out.

    Examples
    --------
    >>> normalised("git@github.com:someone/book.git")
    'https://github.com/someone/book'
    >>> normalised("ssh://git@github.com:22/someone/book.git/")
    'https://github.com/someone/book'
    >>> normalised("https://someone:secret@gitlab.com/group/part/book")
    'https://gitlab.com/group/part/book'
    >>> normalised("/srv/git/book.git") is None, normalised("file:///srv/book") is None
    (True, True)
    """
    match = URL.fullmatch(remote.strip()) or SCP.fullmatch(remote.strip())
    if match is None:
        return None
    path = match["path"].strip("/").removesuffix(".git").strip("/")
    return f"https://{match['host'].lower()}/{path}"


def origin(folder: Path) -> str | None:
    """The web address of ``origin``, when ``folder`` itself is the top of a clone that has one."""
    if not (folder / ".git").exists():
        return None
    try:
        asked = subprocess.run(
            ["git", "-C", str(folder), "config", "--get", "remote.origin.url"],
            capture_output=True, text=True, check=False,
        )
    except FileNotFoundError:
        return None
    return normalised(asked.stdout) if asked.returncode == 0 else None


def theme_options(options: dict, address: str | None) -> dict:
    """The theme's options for a book whose clone came from ``address``.

    Parameters
    ----------
    options : dict
        Options as ``_config.yml`` gives them; not modified.
    address : str or None
        What `origin` found.

    Examples
    --------
    >>> given = {"repository_url": "https://github.com/a/book", "launch_buttons": {"colab_url": "c"}}
    >>> theme_options(given, "https://github.com/b/book")["repository_url"]
    'https://github.com/b/book'
    >>> theme_options(given, "https://gitlab.com/b/book")["launch_buttons"]
    {'colab_url': ''}
    >>> theme_options(given, "https://git.example.org/b/book")["launch_buttons"]
    {}
    """
    changed = dict(options)
    if address is None:
        return changed
    host, _, path = address.removeprefix("https://").partition("/")
    if host not in HOSTS or "/" not in path:
        buttons = {key: False for key in changed if key.startswith("use_") and key.endswith("_button")}
        return {**changed, **buttons, "repository_url": "", "launch_buttons": {}}
    changed["repository_url"] = address
    if host != "github.com":  # Colab opens notebooks from GitHub only
        changed["launch_buttons"] = {**changed.get("launch_buttons", {}), "colab_url": ""}
    return changed


def use_origin(app, config) -> None:
    """Let a fork's buttons lead to the fork (event ``config-inited``)."""
    config.html_theme_options = theme_options(config.html_theme_options, origin(Path(app.srcdir)))


def setup(app) -> None:
    """Register the event."""
    app.connect("config-inited", use_origin)
