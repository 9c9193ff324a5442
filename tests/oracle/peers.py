"""Other servers that answer DynamoDB requests: where they come from and how they are started."""

import pathlib
import shutil
import socket
import subprocess
import time
import xml.sax.saxutils

LOCAL_VERSION = "3.3.1"
# DynamoDB Local asks for classes of these even with telemetry off. Their versions need not be the ones that it names.
TELEMETRY = ["pinpoint", "cognitoidentity", "cognitoidentityprovider", "dynamodb-enhanced"]
SDK_VERSION = "2.54.15"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def dependency(group, artifact, version, exclusions):
    excluded = "".join(f"<exclusion><groupId>{g}</groupId><artifactId>{a}</artifactId></exclusion>" for g, a in exclusions)
    return (f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{xml.sax.saxutils.escape(version)}</version>"
            f"<exclusions>{excluded}</exclusions></dependency>")


def install_local(folder):
    """Fetches DynamoDB Local and what it needs with Maven, outside of the repository. Returns the folder of its libraries."""
    libraries = folder / f"dynamodb-local-{LOCAL_VERSION}"
    if (libraries / f"DynamoDBLocal-{LOCAL_VERSION}.jar").exists():
        return libraries
    if not shutil.which("mvn") or not shutil.which("java"):
        return None
    folder.mkdir(parents=True, exist_ok=True)
    sdk = "software.amazon.awssdk"
    parts = [dependency("software.amazon.dynamodb", "DynamoDBLocal", LOCAL_VERSION, [(sdk, artifact) for artifact in TELEMETRY])]
    parts += [dependency(sdk, artifact, SDK_VERSION, [("*", "*")]) for artifact in TELEMETRY]
    (folder / "pom.xml").write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>oracle</groupId><artifactId>oracle</artifactId>'
        f"<version>1</version><packaging>pom</packaging><dependencies>{''.join(parts)}</dependencies></project>")
    command = ["mvn", "-q", "-B", "-f", str(folder / "pom.xml"), "dependency:copy-dependencies", f"-DoutputDirectory={libraries}", "-DincludeScope=runtime"]
    return libraries if subprocess.run(command, check=False).returncode == 0 else None


class Peer:
    """A running server; `endpoint` is its address."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.endpoint = None

    def wait(self, port, seconds=240):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                self.endpoint = f"http://127.0.0.1:{port}"
                return self
            except OSError:
                time.sleep(0.2)
        self.stop()
        raise RuntimeError(f"{self.name} did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def start_local(folder):
    libraries = install_local(folder)
    if libraries is None:
        return None
    port = free_port()
    command = ["nice", "java", "-Xmx512m", f"-Djava.library.path={libraries}", "-cp", f"{libraries}/*",
               "software.amazon.dynamodb.services.local.main.ServerRunner", "-inMemory", "-disableTelemetry", "-port", str(port)]
    return Peer("DynamoDB Local", command).wait(port)


def start_dynoxide():
    """dynoxide, if it is on the PATH."""
    if not shutil.which("dynoxide"):
        return None
    port = free_port()
    return Peer("dynoxide", ["nice", "dynoxide", "serve", "--port", str(port)]).wait(port)


def cache_folder():
    return pathlib.Path.home() / ".cache" / "prejoin-oracle"
