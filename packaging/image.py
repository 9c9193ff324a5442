"""The container image, written without a daemon: an OCI layout that `docker load` can read too.

It holds the program, a data folder and nothing else: no shell, no libc. `latest` runs Prejoin; `compat` is started as DynamoDB Local's image is,
with the program under the name `java` as well.
"""

import json
import time

from deterministic import epoch, gzipped, sha256, tar, version

USER = 65532  # "nonroot" of other images without a distribution.


def layer(program, notices, licence, compat):
    folders = {"usr": (0o755, 0), "usr/bin": (0o755, 0), "usr/share": (0o755, 0), "usr/share/prejoin": (0o755, 0), "data": (0o700, USER),
               "tmp": (0o1777, 0), "etc": (0o755, 0)}
    entries = {
        "usr/bin/prejoin": (program, 0o755),
        "usr/share/prejoin/LICENSE": (licence, 0o644),
        "usr/share/prejoin/NOTICES.txt": (notices, 0o644),
        "etc/passwd": (f"root:x:0:0:root:/:/nologin\nprejoin:x:{USER}:{USER}:prejoin:/data:/nologin\n".encode(), 0o644),
        "etc/group": (f"root:x:0:\nprejoin:x:{USER}:\n".encode(), 0o644),
    }
    if compat:
        # Where DynamoDB Local's image has them: modules name /home/dynamodblocal as the folder of the JAR and of the data.
        folders |= {"home": (0o755, 0), "home/dynamodblocal": (0o755, USER), "home/dynamodblocal/data": (0o755, USER)}
        entries["usr/bin/java"] = ("prejoin", 0o777)
        entries["home/dynamodblocal/DynamoDBLocal.jar"] = (b"Not a JAR: the program called java in this image is Prejoin.\n", 0o644)
    return tar(entries, folders)


def config(diff_id, machine, compat):
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch()))
    settings = {
        "User": f"{USER}:{USER}",
        "ExposedPorts": {"8000/tcp": {}},
        "Env": ["PATH=/usr/bin"],
        "Entrypoint": ["java"] if compat else ["prejoin"],
        "Cmd": ["-jar", "DynamoDBLocal.jar", "-inMemory"] if compat else ["serve", "--memory", "--host", "0.0.0.0", "--auth", "off"],
        "WorkingDir": "/home/dynamodblocal" if compat else "/data",
        "Labels": {"org.opencontainers.image.title": "prejoin", "org.opencontainers.image.version": version(),
                   "org.opencontainers.image.licenses": "Apache-2.0", "org.opencontainers.image.created": moment,
                   "org.opencontainers.image.description": "A DynamoDB-compatible database and design bench"},
        # Docker's own member; a runtime of OCI leaves it alone.
        "Healthcheck": {"Test": ["CMD", "/usr/bin/prejoin", "health"], "Interval": 10_000_000_000, "Timeout": 5_000_000_000,
                        "StartInterval": 250_000_000, "Retries": 3},
    }
    return json.dumps({"created": moment, "architecture": machine.image, "os": "linux", "config": settings,
                       "rootfs": {"type": "layers", "diff_ids": [f"sha256:{diff_id}"]},
                       "history": [{"created": moment, "created_by": "make dist"}]}, sort_keys=True).encode()


def image(program, notices, licence, tag, machine, compat):
    """The bytes of a tar: an OCI layout, and the manifest of `docker save` beside it."""
    plain = layer(program, notices, licence, compat)
    packed = gzipped(plain)
    settings = config(sha256(plain), machine, compat)

    def described(data, media_type):
        return {"mediaType": media_type, "digest": f"sha256:{sha256(data)}", "size": len(data)}

    manifest = json.dumps({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                           "config": described(settings, "application/vnd.oci.image.config.v1+json"),
                           "layers": [described(packed, "application/vnd.oci.image.layer.v1.tar+gzip")]}, sort_keys=True).encode()
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [
        described(manifest, "application/vnd.oci.image.manifest.v1+json") | {
            "annotations": {"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": f"docker.io/library/prejoin:{tag}"},
            "platform": {"architecture": machine.image, "os": "linux"}}]}

    def blob(data):
        return f"blobs/sha256/{sha256(data)}"

    entries = {
        "oci-layout": b'{"imageLayoutVersion":"1.0.0"}',
        "index.json": json.dumps(index, sort_keys=True).encode(),
        "manifest.json": json.dumps([{"Config": blob(settings), "RepoTags": [f"prejoin:{tag}"], "Layers": [blob(packed)]}]).encode(),
        blob(settings): settings, blob(manifest): manifest, blob(packed): packed,
    }
    return tar({path: (data, 0o644) for path, data in entries.items()})
