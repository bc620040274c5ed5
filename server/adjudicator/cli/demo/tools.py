"""The agent's tools: what really happens in the scratch folder once a call is allowed."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

_COMMAND_SECONDS = 10
Output = Any


class Tools:
    """Runs allowed calls in one folder. It knows nothing of policy: it does what it is told."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_code: dict[str, Callable[[dict[str, Any]], Output]] = {
            "read": self._read,
            "ls": self._ls,
            "write": self._write,
            "bash": self._bash,
            "codegraph_query": self._query,
            "deploy": self._deploy,
        }

    def run(self, tool: str, arguments: dict[str, Any]) -> Output:
        """Run it; what it returned, as JSON data."""
        return self._by_code[tool](arguments)

    def _read(self, arguments: dict[str, Any]) -> Output:
        return self._at(arguments["path"]).read_text()

    def _ls(self, arguments: dict[str, Any]) -> Output:
        return sorted(each.name for each in self._at(arguments["path"]).iterdir())

    def _write(self, arguments: dict[str, Any]) -> Output:
        target = self._at(arguments["path"])
        target.parent.mkdir(parents=True, exist_ok=True)
        return {"characters": target.write_text(arguments["content"])}

    def _bash(self, arguments: dict[str, Any]) -> Output:
        done = subprocess.run(
            ["/bin/sh", "-c", arguments["command"]],
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=_COMMAND_SECONDS,
            check=False,
        )
        return {"exit_code": done.returncode, "output": done.stdout.strip()}

    def _query(self, arguments: dict[str, Any]) -> Output:
        word = re.compile(re.escape(arguments["query"]))
        files = (each for each in self._folder.rglob("*") if each.is_file())
        return sorted(each.name for each in files if word.search(each.read_text()))

    def _deploy(self, arguments: dict[str, Any]) -> Output:
        return self._write(
            {"path": f"{arguments['environment']}/{arguments['version']}", "content": "released\n"}
        )

    def _at(self, path: str) -> Path:
        return self._folder / path
