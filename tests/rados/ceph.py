"""A throwaway Ceph cluster on loopback: one monitor and three OSDs that keep everything in memory, or, to outlive a kill, in files.
Ready in about four seconds, or eight.

Needs Debian's ceph-mon, ceph-osd and ceph-common (`scripts/setup rados`), and neither root nor systemd. Everything lies in a folder of
its own, and only processes that this object has started are ever signalled.

By hand: ceph.py FOLDER starts one, prints the path of its ceph.conf and runs until it is interrupted.
"""

import json
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid

TOOLS = ["ceph-mon", "ceph-osd", "ceph", "rados", "ceph-authtool", "monmaptool"]
READY_TIMEOUT_S = 180


def missing_tools():
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


CONFIGURATION = """[global]
    fsid = {fsid}
    mon host = [v2:127.0.0.1:{port}/0]
    public addr = 127.0.0.1
    cluster addr = 127.0.0.1
    ms bind msgr1 = false
    auth cluster required = none
    auth service required = none
    auth client required = none
    keyring = {folder}/keyring
    run dir = {folder}
    pid file =
    admin socket =
    log file = {folder}/$name.log
    crash dir = {folder}/crash
    log max recent = 100
    # All copies lie on OSDs of one machine.
    osd crush chooseleaf type = 0
    osd pool default size = {copies}
    osd pool default min size = {least}
    osd pool default pg autoscale mode = off
    osd heartbeat interval = 1
    osd heartbeat grace = {grace}
[client]
    log file =
[mon]
    mon data = {folder}/mon
    mon osd reporter subtree level = osd
    mon osd min down reporters = 1
    mon max pg per osd = 1000
    mon data avail crit = 0
    auth allow insecure global id reclaim = false
[osd]
    osd data = {folder}/osd.$id
    osd objectstore = {store}
    memstore device bytes = {bytes}
    bluestore block size = {bytes}
    bluestore cache autotune = false
    bluestore cache size = 50331648
    bluestore fsck on mount = false
    osd op num shards = 2
    osd op num threads per shard = 1
    osd class update on start = false
    osd max pg log entries = 1000
"""


class Ceph:
    """with Ceph() as ceph: … ceph.conf, ceph.pool …"""

    def __init__(self, folder=None, osds=3, osd_bytes=2 << 30, heartbeat_grace=10, store="memstore"):
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="prejoin-ceph-"))
        self.osds = osds
        self.osd_bytes = osd_bytes
        self.heartbeat_grace = heartbeat_grace
        self.store = store
        self.conf = str(self.folder / "ceph.conf")
        self.pool = "prejoin"
        self.processes = {}
        self.client = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop(keep=True)
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def run(self, *command, timeout=180, check=True):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=timeout)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
        return done

    def ceph(self, *arguments, **options):
        return self.run("ceph", "-c", self.conf, "--connect-timeout", "20", *arguments, **options)

    def daemon(self, name, *command):
        # In the foreground (-f), so that it is ours to stop.
        log = open(self.folder / f"{name}.out", "ab")
        self.processes[name] = subprocess.Popen([*command, "-f"], stdout=log, stderr=log, start_new_session=True)

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ["crash", "mon"] + [f"osd.{number}" for number in range(self.osds)]:
            (self.folder / name).mkdir(exist_ok=True)
        port, fsid = free_port(), uuid.uuid4()
        copies = min(self.osds, 3)
        (self.folder / "ceph.conf").write_text(CONFIGURATION.format(
            fsid=fsid, port=port, folder=self.folder, copies=copies, least=max(1, copies - 1), bytes=self.osd_bytes, grace=self.heartbeat_grace, store=self.store))
        self.run("ceph-authtool", "--create-keyring", self.folder / "keyring", "--gen-key", "-n", "mon.", "--cap", "mon", "allow *")
        self.run("ceph-authtool", self.folder / "keyring", "--gen-key", "-n", "client.admin", "--cap", "mon", "allow *", "--cap", "osd", "allow *")
        self.run("monmaptool", "--create", "--fsid", fsid, "--addv", "a", f"[v2:127.0.0.1:{port}/0]", self.folder / "monmap")
        self.run("ceph-mon", "-c", self.conf, "--mkfs", "-i", "a", "--monmap", self.folder / "monmap", "--keyring", self.folder / "keyring")
        self.daemon("mon.a", "ceph-mon", "-c", self.conf, "-i", "a")
        for number in range(self.osds):
            self.new_osd(number)
        self.ceph("osd", "pool", "create", self.pool, 16, 16)
        self.wait_ready()

    def new_osd(self, number):
        name = str(uuid.uuid4())
        self.run("ceph-osd", "-c", self.conf, "-i", number, "--mkfs", "--osd-uuid", name, "--no-mon-config", "--monmap", self.folder / "monmap")
        self.ceph("osd", "new", name, number)
        self.start_osd(number)

    def start_osd(self, number):
        self.daemon(f"osd.{number}", "ceph-osd", "-c", self.conf, "-i", str(number))

    def kill_osd(self, number):
        self.signal(f"osd.{number}", signal.SIGKILL)
        self.processes.pop(f"osd.{number}").wait()

    def connection(self):
        """A client of this process, because to start one of Ceph's programs takes a second of processor time."""
        if self.client is None:
            import rados  # pylint: disable=import-outside-toplevel
            limits = {"rados_osd_op_timeout": "60", "rados_mon_op_timeout": "60", "client_mount_timeout": "60"}
            self.client = rados.Rados(conffile=self.conf, conf=limits)
            self.client.connect()
        return self.client

    def is_up(self):
        code, out, _ = self.connection().mon_command(json.dumps({"prefix": "osd stat", "format": "json"}), b"")
        return code == 0 and json.loads(out)["num_up_osds"] == self.osds

    def attributes(self, space, name):
        """Of an object: {name: value}"""
        objects = self.connection().open_ioctx(self.pool)
        try:
            objects.set_namespace(space)
            return {attribute: value.decode() for attribute, value in objects.get_xattrs(name)}
        finally:
            objects.close()

    def wait_ready(self):
        deadline = time.monotonic() + READY_TIMEOUT_S
        while not self.is_up():
            if time.monotonic() > deadline:
                raise RuntimeError(f"the OSDs did not come up: see {self.folder}")
            time.sleep(0.3)
        self.run("rados", "-c", self.conf, "-p", self.pool, "put", ".ready", self.conf, timeout=READY_TIMEOUT_S)

    def signal(self, name, number):
        self.processes[name].send_signal(number)

    def stop(self, keep=False):
        if self.client:
            self.client.shutdown()
            self.client = None
        for process in self.processes.values():
            process.send_signal(signal.SIGCONT)
            process.kill()  # Nothing of it is needed any more.
        for process in self.processes.values():
            process.wait(timeout=20)
        self.processes = {}
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)


def main():
    if missing_tools():
        sys.exit(f"missing: {' '.join(missing_tools())}; run scripts/setup rados")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with Ceph(sys.argv[1] if len(sys.argv) > 1 else None) as ceph:
        print(ceph.conf, flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
