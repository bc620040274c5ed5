"""Whatever keeps a sidecar from starting is named, and the exit code is 1."""

import socket
import subprocess
import sys

import pytest
from running import POLICIES

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}


class TestStart:
    """Whatever keeps it from starting is named, and the exit code is 1."""

    def attempt(self, tmp_path, *arguments):
        """Try to start; the exit code and what was said."""
        done = subprocess.run(
            [
                *(sys.executable, "-m", "adjudicator.cli.main", "serve", "--policies", str(POLICIES)),
                *("--data", str(tmp_path / "other"), "--address", "127.0.0.1:0"),
                *("--approver-address", "127.0.0.1:0", *arguments),
            ],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout + done.stderr

    @pytest.mark.parametrize("option", ["--data", "--database"])
    def test_a_second_sidecar_on_the_same_state(self, tmp_path, sidecar, option):
        """It names the folder or file, and the process that holds it; the first one serves on."""
        held = sidecar.data if option == "--data" else sidecar.data / "adjudicator.db"
        code, said = self.attempt(tmp_path, option, str(held))
        assert code == 1
        assert str(held) in said
        assert f"another sidecar (process {sidecar.process.pid})" in said
        assert sidecar.judge(**READ).allowed

    def test_a_file_system_that_takes_no_writes(self, tmp_path):
        """It names the folder, and leaves nothing behind."""
        mount = tmp_path / "fixed"
        mount.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", mount]
        if subprocess.run(words, check=False, capture_output=True).returncode:
            pytest.skip("this machine does not let the test mount a file system")
        try:
            code, said = self.attempt(tmp_path, "--data", str(mount / "data"))
        finally:
            subprocess.run(["umount", mount], check=True)
        assert code == 1
        assert f"{mount / 'data'} cannot be used: Read-only file system" in said

    @pytest.mark.parametrize("option", ["--address", "--approver-address"])
    def test_a_port_in_use(self, tmp_path, sidecar, option):
        """It names the port and the setting."""
        code, said = self.attempt(tmp_path, option, sidecar.address)
        assert code == 1
        assert sidecar.address.rpartition(":")[2] in said
        assert "in use" in said
        assert sidecar.judge(**READ).allowed

    def test_a_socket_in_use(self, tmp_path):
        """A Unix socket is not stolen from the process that serves on it."""
        path = tmp_path / "a.sock"
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
            server.listen()
            code, said = self.attempt(tmp_path, "--address", f"unix:{path}")
        assert code == 1
        assert "in use" in said

    @pytest.mark.parametrize(
        "address",
        [
            "0.0.0.0:7411",
            "[::]:7411",
            "192.0.2.1:7411",
            "nowhere",
            "host:x",
            "1:2:3:4",
            "unix:a",
            "unix:/tmp/%41.sock",
        ],
    )
    def test_an_address_that_is_not_loopback_or_not_one(self, tmp_path, address):
        """Without TLS nothing but loopback and Unix sockets is listened on."""
        code, said = self.attempt(tmp_path, "--address", address)
        assert code == 1
        assert "address" in said

    def test_a_data_folder_that_cannot_be_written(self, tmp_path):
        """It names the folder."""
        blocked = tmp_path / "file"
        blocked.write_text("")
        code, said = self.attempt(tmp_path, "--data", str(blocked / "data"))
        assert code == 1
        assert str(blocked) in said

    def test_a_database_that_is_none(self, tmp_path):
        """It names the file and leaves it as it is."""
        file = tmp_path / "text.db"
        file.write_text("not a database" * 100)
        code, said = self.attempt(tmp_path, "--database", str(file))
        assert code == 1
        assert "text.db" in said
        assert file.read_text().startswith("not a database")
