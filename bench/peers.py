"""The servers that the benchmark compares: how each is started, and whether it is there at all."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
RELEASE = pathlib.Path(os.environ.get("PREJOIN_BUILD", ROOT / "build/release"))
sys.path.insert(0, str(ROOT / "tests/rig"))
from dynamo_client import DynamoClient  # noqa: E402

# As in http_fixed_answer.h, so that all ceilings send the same bytes.
FIXED_ANSWER = ('{"Item":{"pk":{"S":"STUDENT#12345"},"sk":{"S":"PROFILE"},"name":{"S":"Ada Lovelace"},"year":{"N":"3"},'
                '"email":{"S":"ada@example.edu"},"major":{"S":"Mathematics"},"gpa":{"N":"3.97"},'
                '"courses":{"L":[{"S":"C1"},{"S":"C2"}]},"active":{"BOOL":true}}}')

NGINX = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      default_type application/x-amz-json-1.0;
      add_header x-amzn-RequestId 7J5RR0FS9A6DGEHV1RQ2QJ4KPBVV4KQNSO5AEMVJF66Q9ASUAAJG;
      add_header x-amz-crc32 2745614147;
      return 200 '{answer}';
    }}
  }}
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Peer:
    """A running server. `kind` is "memory", "disk" or "ceiling": what it may be compared with."""

    def __init__(self, name, kind, command, port, folder):
        self.name = name
        self.kind = kind
        self.endpoint = f"http://127.0.0.1:{port}"
        self.folder = folder
        self.log = open(folder / "log.txt", "w", encoding="utf-8")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd=folder)
        self.await_port(port)

    def await_port(self, port):
        for _ in range(300):
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"{self.name} did not start; see {self.folder}/log.txt")

    def client(self):
        return DynamoClient(self.endpoint)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def prejoin(folder, kind, data=None):
    return prejoin_program(f"Prejoin {kind}", RELEASE / "prejoin", folder, kind, data)


def prejoin_program(name, program, folder, kind, data=None):
    port = free_port()
    where = ["--memory"] if kind == "memory" else ["--data", str(data or folder / "data")]
    return Peer(name, kind, [str(program), "serve", "--port", str(port), *where], port, folder)


def earlier_prejoin(folder, kind):
    """Another build, to see what a change has cost: PREJOIN_BEFORE names its program."""
    return prejoin_program(f"earlier {kind}", pathlib.Path(os.environ["PREJOIN_BEFORE"]).resolve(), folder, kind)


def dynalite(folder, kind):
    port = free_port()
    where = ["--path", str(folder / "data")] if kind == "disk" else []
    command = ["node", str(HERE / "node_modules/dynalite/cli.js"), "--port", str(port), "--createTableMs", "0", *where]
    return Peer(f"dynalite {kind}", kind, command, port, folder)


def dynamodb_local(folder, kind):
    home = pathlib.Path(os.environ["DYNAMODB_LOCAL"])
    port = free_port()
    where = ["-inMemory"] if kind == "memory" else ["-dbPath", str(folder)]
    command = ["java", f"-Djava.library.path={home}/DynamoDBLocal_lib", "-jar", str(home / "DynamoDBLocal.jar"),
               "-port", str(port), "-sharedDb", *where]
    return Peer(f"DynamoDB Local {kind}", kind, command, port, folder)


def dynoxide(folder, kind):
    port = free_port()
    where = ["--db-path", str(folder / "data.db")] if kind == "disk" else []
    return Peer(f"dynoxide {kind}", kind, ["dynoxide", "--port", str(port), *where], port, folder)


def nginx(folder):
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(NGINX.format(folder=folder, port=port, answer=FIXED_ANSWER))
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    return Peer("nginx, fixed answer", "ceiling", [program, "-c", str(configuration), "-p", str(folder)], port, folder)


def own_http(folder):
    """The server's own HTTP code with a handler that does nothing: what is left is the cost of HTTP."""
    port = free_port()
    return Peer("own HTTP, fixed answer", "ceiling", [str(RELEASE / "bench/bench_fixed_answer"), str(port)], port, folder)


# (name, how to start it, why it is not there or None)
def all_peers(kinds):
    def missing(condition, reason):
        return None if condition else reason

    found = []
    for kind in kinds:
        found.append((f"prejoin-{kind}", lambda folder, kind=kind: prejoin(folder, kind), None))
        if "PREJOIN_BEFORE" in os.environ:
            found.append((f"earlier-{kind}", lambda folder, kind=kind: earlier_prejoin(folder, kind), None))
        found.append((f"dynalite-{kind}", lambda folder, kind=kind: dynalite(folder, kind),
                      missing((HERE / "node_modules/dynalite").exists(), "run scripts/setup bench")))
        found.append((f"dynamodb-local-{kind}", lambda folder, kind=kind: dynamodb_local(folder, kind),
                      missing("DYNAMODB_LOCAL" in os.environ and shutil.which("java"),
                              "DYNAMODB_LOCAL does not name the folder of DynamoDBLocal.jar")))
        found.append((f"dynoxide-{kind}", lambda folder, kind=kind: dynoxide(folder, kind),
                      missing(shutil.which("dynoxide"), "not on the PATH")))
    found.append(("nginx", nginx, missing(shutil.which("nginx") or pathlib.Path("/usr/sbin/nginx").exists(),
                                          "run scripts/setup bench")))
    found.append(("own-http", own_http, missing((RELEASE / "bench/bench_fixed_answer").exists(),
                                                "bench_fixed_answer is not built")))
    return found
