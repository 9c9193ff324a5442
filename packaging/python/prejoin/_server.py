"""The server, as a child process that cannot outlive this one."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import threading
import urllib.parse


def find_binary():
    """The path of the program. PREJOIN_BINARY names another one."""
    given = os.environ.get("PREJOIN_BINARY")
    if given:
        return given
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"),
               # pip install --target DIR puts scripts into DIR/bin.
               str(pathlib.Path(__file__).resolve().parents[1] / "bin")]
    for folder in folders:
        path = os.path.join(folder, "prejoin")
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("prejoin")
    if found:
        return found
    raise FileNotFoundError(f"the program prejoin is not in {', '.join(folders)}; set PREJOIN_BINARY to its path")


class Server:
    """A running server. `endpoint` is its URL; `client_options` are what a boto3 client needs to reach it."""

    def __init__(self, process, endpoint):
        self._process = process
        self.endpoint = endpoint
        address = urllib.parse.urlsplit(endpoint)
        self.host, self.port = address.hostname, address.port
        self.region = "us-east-1"
        self.access_key_id = self.secret_access_key = "prejoin"

    @property
    def client_options(self):
        return {"endpoint_url": self.endpoint, "region_name": self.region, "aws_access_key_id": self.access_key_id,
                "aws_secret_access_key": self.secret_access_key}

    def stop(self):
        """Closes the server's standard input, which ends it, and waits."""
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def start(data=None, *, port=0, model=None, options=()):
    """Starts a server and returns when it answers. Everything is in memory unless `data` names a directory; `model` is a model file whose
    tables it creates and fills. It ends with stop(), and when this process ends, however that happens."""
    command = [find_binary(), "serve", "--exit-with-parent", "--log-level", "warning", "--port", str(port)]
    command += ["--memory"] if data is None else ["--data", os.fspath(data)]
    command += ["--model", os.fspath(model)] if model is not None else []
    process = subprocess.Popen([*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lines = []
    for line in process.stdout:
        text = line.decode("utf-8", "replace").rstrip("\n")
        lines.append(text)
        if text.startswith("prejoin listening on "):
            # A pipe that nobody reads would fill up one day.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return Server(process, text.rsplit(" ", 1)[1])
    process.stdin.close()
    raise RuntimeError(f"{command[0]} ended with exit code {process.wait()} before it listened" + "".join("\n" + text for text in lines))


def main():
    """python -m prejoin: the program itself."""
    binary = find_binary()
    os.execv(binary, [binary, *sys.argv[1:]])
