#!/usr/bin/python3
"""What `make dist` wrote, as its users get it: dist_test.py PACKAGES. Takes boto3, pynamodb, aioboto3, moto and jest from package registries.

Needs root for the empty root that the program is tried in."""

import hashlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/rig"))

from fresh_root import FreshRoot  # noqa: E402
from server_process import ServerProcess  # noqa: E402

PACKAGES = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/packages").resolve()

PROGRAM_BYTES_MAX = 25_500_000


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **{"timeout": 600, **options})
    if result.returncode != 0:
        raise AssertionError(f"{command} ended with {result.returncode}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
    return result.stdout


def unpacked(folder):
    """The folder of the unpacked archive."""
    with tarfile.open(next(PACKAGES.glob("prejoin-*-linux-x64.tar.gz"))) as archive:
        archive.extractall(folder)
    return next(pathlib.Path(folder).iterdir())


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.top = unpacked(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_sums(self):
        lines = (PACKAGES / "SHA256SUMS").read_text().splitlines()
        self.assertGreater(len(lines), 5)
        for line in lines:
            digest, name = line.split()
            self.assertEqual(hashlib.sha256((PACKAGES / name).read_bytes()).hexdigest(), digest)

    def test_the_program_needs_no_loader_and_no_library(self):
        self.assertNotIn("INTERP", run("readelf", "-lW", self.top / "bin/prejoin"))
        self.assertNotIn("NEEDED", run("readelf", "-dW", self.top / "bin/prejoin"))

    def test_the_program_does_not_grow_unnoticed(self):
        """docs/adr/0035 says what is in it."""
        self.assertLess((self.top / "bin/prejoin").stat().st_size, PROGRAM_BYTES_MAX)

    def test_the_library_needs_glibc_only(self):
        needed = run("readelf", "-dW", self.top / "lib/libprejoin.so.1")
        for line in needed.splitlines():
            if "(NEEDED)" in line:
                self.assertRegex(line, r"lib(c|m|dl|pthread|atomic)\.so|ld-linux")

    @unittest.skipUnless(os.geteuid() == 0, "chroot needs root")
    def test_in_an_empty_root(self):
        with tempfile.TemporaryDirectory() as empty:
            self.judge_in(pathlib.Path(empty))

    @unittest.skipUnless(os.geteuid() == 0, "debootstrap needs root")
    def test_in_debian_11(self):
        with FreshRoot("bullseye") as root:
            self.judge_in(root.path)

    def judge_in(self, root):
        """Everything that the program does there with nothing but itself: no library, no loader, no /dev and no /proc in an empty root."""
        (root / "prejoin").write_bytes((self.top / "bin/prejoin").read_bytes())
        (root / "prejoin").chmod(0o755)
        model = (ROOT / "examples/models/d04_students_and_courses.prejoin").read_text()
        (root / "school.prejoin").write_text(model)
        (root / "etc").mkdir(exist_ok=True)
        (root / "etc/hosts").write_text("127.0.0.1 localhost known.example\n")
        self.assertIn("prejoin", run("chroot", root, "/prejoin", "--version"))
        run("chroot", root, "/prejoin", "prove", "/school.prejoin")
        lookup = subprocess.run(["chroot", root, "/prejoin", "prove", "/school.prejoin", "--endpoint", "http://no.such.host.invalid:8000"],
                                capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(lookup.returncode, 2)
        self.assertIn("cannot find host no.such.host.invalid", lookup.stderr)
        inside = root.parent / f"{root.name}-prejoin"
        inside.write_text(f'#!/bin/sh\nexec chroot {root} /prejoin "$@"\n')
        inside.chmod(0o755)
        self.addCleanup(inside.unlink)
        os.environ["PREJOIN_BINARY"] = str(inside)
        self.addCleanup(os.environ.pop, "PREJOIN_BINARY")
        with ServerProcess(options=["--allow-host", "known.example"]) as server:
            run("chroot", root, "/prejoin", "prove", "/school.prejoin", "--endpoint", f"http://known.example:{server.port}")
            with urllib.request.urlopen(f"{server.endpoint}/studio/", timeout=60) as page:
                self.assertIn(b"<html", page.read())
            # In a process of its own, which the server starts.
            request = urllib.request.Request(f"{server.endpoint}/model/prove", json.dumps({"source": model}).encode(),
                                             {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                self.assertGreater(len(json.load(answer)), 0)
        with tempfile.TemporaryDirectory(dir=root) as data:
            with ServerProcess(data="/" + pathlib.Path(data).name):
                pass
        said = run(sys.executable, ROOT / "tests/conformance/run").splitlines()[-1]
        self.assertRegex(said, r"([1-9]\d+) of \1 cases pass")
        print(said)


class Python(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.python = pathlib.Path(cls.folder.name) / "venv/bin/python"
        run(sys.executable, "-m", "venv", cls.python.parents[1])
        # aioboto3 names one narrow range of boto3. Installed first, it spares pip the search for a boto3 that suits everybody.
        run(cls.python, "-m", "pip", "install", "--quiet", next(PACKAGES.glob("*.whl")), "aioboto3")
        run(cls.python, "-m", "pip", "install", "--quiet", "pynamodb", "pytest", "pytest-xdist", "moto[dynamodb]")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def script(self, text, *arguments):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PREJOIN", "PYTHON", "AWS"))}
        return run(self.python, "-c", textwrap.dedent(text), *arguments, env=environment, cwd=self.folder.name)

    def test_command(self):
        self.assertIn("prejoin", run(self.python.parent / "prejoin", "--version"))
        self.assertIn("prejoin", run(self.python, "-m", "prejoin", "--version"))

    def test_boto3(self):
        self.script("""
            import boto3, prejoin
            with prejoin.mock():
                table = boto3.resource("dynamodb").create_table(TableName="Songs", BillingMode="PAY_PER_REQUEST",
                    KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}], AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}])
                table.wait_until_exists()
                with table.batch_writer() as batch:
                    for i in range(100):
                        batch.put_item(Item={"k": str(i)})
                assert table.scan()["Count"] == 100
            session = boto3.Session(region_name="eu-west-1", aws_access_key_id="x", aws_secret_access_key="y")
            database = prejoin.patch(session)
            assert session.client("dynamodb").list_tables()["TableNames"] == []
        """)

    def test_pynamodb(self):
        self.script("""
            import prejoin
            with prejoin.mock():
                from pynamodb.models import Model
                from pynamodb.attributes import NumberAttribute, UnicodeAttribute
                class User(Model):
                    class Meta:
                        table_name = "users"
                        region = "us-east-1"
                    email = UnicodeAttribute(hash_key=True)
                    visits = NumberAttribute(default=0)
                User.create_table(billing_mode="PAY_PER_REQUEST", wait=True)
                User("a@example.com", visits=1).save()
                User.get("a@example.com").update(actions=[User.visits.add(2)])
                assert User.get("a@example.com").visits == 3
        """)

    def test_aioboto3(self):
        self.script("""
            import asyncio, aioboto3, prejoin
            session = aioboto3.Session(region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y")
            database = prejoin.patch(session)
            async def main():
                async with session.resource("dynamodb") as dynamodb:
                    table = await dynamodb.create_table(TableName="Songs", BillingMode="PAY_PER_REQUEST",
                        KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}], AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}])
                    await table.put_item(Item={"k": "a", "n": 1})
                    assert (await table.get_item(Key={"k": "a"}))["Item"]["n"] == 1
                async with session.client("dynamodb") as client:
                    try:
                        await client.put_item(TableName="Songs", Item={"k": {"S": "a"}}, ConditionExpression="attribute_not_exists(k)")
                        raise AssertionError("not refused")
                    except client.exceptions.ConditionalCheckFailedException:
                        pass
            asyncio.run(main())
        """)

    def test_a_thousand_tests_with_a_database_each(self):
        folder = pathlib.Path(self.folder.name) / "suite"
        folder.mkdir()
        (folder / "conftest.py").write_text(textwrap.dedent("""
            import pytest

            @pytest.fixture(scope="session")
            def prejoin_contents():
                def fill(database):
                    table = database.resource().create_table(TableName="Songs", BillingMode="PAY_PER_REQUEST",
                        KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}], AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}])
                    with table.batch_writer() as batch:
                        for i in range(10_000):
                            batch.put_item(Item={"k": str(i), "text": "x" * 100})
                return fill
        """))
        (folder / "test_many.py").write_text(textwrap.dedent("""
            import pytest

            @pytest.mark.parametrize("number", range(1000))
            def test_fresh(prejoin, number):
                assert prejoin.call("DescribeTable", TableName="Songs")["Table"]["ItemCount"] == 10_000
                prejoin.call("PutItem", TableName="Songs", Item={"k": {"S": "new"}})
                prejoin.call("DeleteItem", TableName="Songs", Key={"k": {"S": str(number)}})
                assert "Item" not in prejoin.call("GetItem", TableName="Songs", Key={"k": {"S": str((number + 1) % 1000 + 10_000)}})
        """))
        for name, fixture in (("empty", ""), ("untouched", "prejoin, ")):
            (folder / f"test_{name}.py").write_text(textwrap.dedent(f"""
                import pytest

                @pytest.mark.parametrize("number", range(1000))
                def test_it({fixture}number):
                    pass
            """))

        def milliseconds(name, *options):
            """Processor time of a test, because others use the machine too. The database is filled in both runs that are compared."""
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assertIn(" passed", run(self.python, "-m", "pytest", "-q", "-x", *options, f"test_{name}.py", cwd=folder).splitlines()[-1])
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

        once = milliseconds("untouched", "-k", "test_it[0]")
        none = milliseconds("empty", "-k", "test_it[0]")
        empty, untouched, many = (milliseconds(name) for name in ("empty", "untouched", "many"))
        print(f"processor time of a test: empty {(empty - none) / 999:.2f} ms, with a fresh database of 10,000 items {(untouched - once) / 999:.2f} ms, "
              f"with four requests to it {(many - once) / 999:.2f} ms")
        self.assertLess((untouched - once - empty + none) / 999, 2)
        self.assertIn("1000 passed", run(self.python, "-m", "pytest", "-q", "-x", "-n", "4", "test_many.py", cwd=folder))

    def test_cost_of_a_call_beside_others(self):
        """Prints it, and how long the first answer takes; DynamoDB Local and dynoxide are measured if they are there (tests/oracle/peers.py)."""
        program = """
            import os, sys, time
            import boto3
            kind, argument = sys.argv[1:3]
            boto3.client("dynamodb", endpoint_url="http://127.0.0.1:1", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
            server = pid = None
            def processor_time():  # Others use the machine too.
                spent = time.process_time()
                if pid:
                    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
                    spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                return spent
            begin = processor_time()
            if kind == "prejoin in process":
                import prejoin
                context = prejoin.mock()
                context.__enter__()
            elif kind == "prejoin server":
                import prejoin
                server = prejoin.start()
                argument, pid = server.endpoint, server._process.pid
            elif kind == "moto":
                from moto import mock_aws
                mock_aws().start()
            else:
                argument, pid = argument.split()
            started = processor_time() - begin
            client = boto3.client("dynamodb", endpoint_url=None if argument == "-" else argument, region_name="us-east-1",
                                  aws_access_key_id="x", aws_secret_access_key="x")
            begin = processor_time()
            client.list_tables()
            first = processor_time() - begin
            client.create_table(TableName="Songs", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
                                AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}])
            def calls():
                for i in range(500):
                    client.put_item(TableName="Songs", Item={"k": {"S": str(i)}})
                for i in range(500):
                    client.get_item(TableName="Songs", Key={"k": {"S": str(i)}})
            calls()
            begin = processor_time()
            calls()
            print(f"{kind}: processor time of the start {1000 * started:.0f} ms, of the first answer {1000 * first:.0f} ms, "
                  f"of a call {1000 * (processor_time() - begin):.0f} us")
            if server:
                server.stop()
        """
        sys.path.insert(0, str(ROOT / "tests/oracle"))
        from peers import cache_folder, start_dynoxide, start_local

        print(self.script(program, "prejoin in process", "-"), self.script(program, "prejoin server", "-"), self.script(program, "moto", "-"), sep="", end="")
        for start in (lambda: start_local(cache_folder()), start_dynoxide):
            peer = start()
            if peer is not None:
                self.addCleanup(peer.stop)
                print(self.script(program, peer.name, f"{peer.endpoint} {peer.process.pid}"), end="")


class Images(unittest.TestCase):
    def unpacked(self, name, folder):
        """(configuration, root) of an image, as skopeo reads it: first as an archive of Docker, whose layers then go into a root."""
        path = next(PACKAGES.glob(f"prejoin-*[0-9]-{name}.tar"))
        self.assertLess(path.stat().st_size, 15e6)
        layout = pathlib.Path(folder) / "layout"
        run("skopeo", "copy", "--insecure-policy", f"docker-archive:{path}", f"oci:{layout}-docker:x")
        run("skopeo", "copy", "--insecure-policy", f"oci-archive:{path}", f"oci:{layout}:x")
        for found in (f"oci:{layout}:x", f"oci:{layout}-docker:x"):
            told = json.loads(run("skopeo", "inspect", "--config", found))
            self.assertEqual(told["config"]["User"], "65532:65532")
        run("umoci", "unpack", "--image", f"{layout}:x", f"{folder}/bundle")
        return told["config"], pathlib.Path(folder) / "bundle/rootfs"

    def start(self, config, root, *more):
        """What a runtime does: the entry point and the command, in the root, as the user, in the folder."""
        def enter():
            os.chroot(root)
            os.chdir(config["WorkingDir"])
            os.setgroups([])
            os.setgid(65532)
            os.setuid(65532)

        return subprocess.Popen(["/usr/bin/" + config["Entrypoint"][0], *(more or config["Cmd"])], preexec_fn=enter, env={"PATH": "/usr/bin"},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, executable="/usr/bin/" + config["Entrypoint"][0])

    def first_lines(self, process, count):
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return [process.stdout.readline().rstrip("\n") for _ in range(count)]

    @unittest.skipUnless(os.geteuid() == 0, "chroot needs root")
    def test_image(self):
        with tempfile.TemporaryDirectory() as folder:
            config, root = self.unpacked("image-amd64", folder)
            self.assertEqual(config["Cmd"][:2], ["serve", "--memory"])
            self.assertEqual(sorted(path.name for path in (root / "usr/bin").iterdir()), ["prejoin"])
            process = self.start(config, root, *config["Cmd"], "--port", "0")
            self.assertRegex(self.first_lines(process, 1)[0], "prejoin listening on http://0.0.0.0:")
            process = self.start(config, root, "serve", "--data", "/data/db", "--port", "0")
            self.assertRegex(self.first_lines(process, 1)[0], "prejoin listening on ")
            os.chown(root / "data", 0, 0)
            process = self.start(config, root, "serve", "--data", "/data/new", "--port", "0")
            told = self.first_lines(process, 1)[0]
            self.assertEqual((process.wait(60), process.stdout.read()), (2, ""))
            for part in ("65532", "/data"):
                self.assertIn(part, told)

    @unittest.skipUnless(os.geteuid() == 0, "chroot needs root")
    def test_image_in_the_place_of_dynamodb_local(self):
        with tempfile.TemporaryDirectory() as folder:
            config, root = self.unpacked("compat-image-amd64", folder)
            self.assertEqual(config["Entrypoint"], ["java"])
            # As the compose files of AWS's guide start it.
            for command in (config["Cmd"], ["-jar", "DynamoDBLocal.jar", "-sharedDb", "-dbPath", "./data"]):
                process = self.start(config, root, *command, "-port", "0")
                lines = self.first_lines(process, 8)
                self.assertEqual(lines[0], "Initializing DynamoDB Local with the following configuration:")
                self.assertRegex("\n".join(lines), "prejoin listening on http://0.0.0.0:")


class Npm(unittest.TestCase):
    def test_start_and_jest(self):
        with tempfile.TemporaryDirectory() as text:
            folder = pathlib.Path(text)
            (folder / "package.json").write_text('{"name": "x", "private": true, "jest": {"preset": "prejoin"}}')
            environment = {name: value for name, value in os.environ.items() if not name.startswith("PREJOIN")}
            run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES.glob("*.tgz"), "jest", "@aws-sdk/client-dynamodb",
                cwd=folder, env=environment)
            self.assertIn("prejoin", run("npx", "--no-install", "prejoin", "--version", cwd=folder, env=environment))
            (folder / "tables.test.js").write_text(textwrap.dedent("""
                const {DynamoDBClient, ListTablesCommand} = require('@aws-sdk/client-dynamodb');
                const {start} = require('prejoin');
                test('the server of the preset answers', async () => {
                  expect((await new DynamoDBClient({}).send(new ListTablesCommand({}))).TableNames).toEqual(['files']);
                });
                test('a server of its own', async () => {
                  const server = await start();
                  const client = new DynamoDBClient({endpoint: server.endpoint, region: server.region, credentials: server.credentials});
                  expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
                  await server.stop();
                });
            """))
            (folder / "jest-dynamodb-config.js").write_text(textwrap.dedent("""
                module.exports = {tables: [{TableName: 'files', BillingMode: 'PAY_PER_REQUEST', KeySchema: [{AttributeName: 'id', KeyType: 'HASH'}],
                  AttributeDefinitions: [{AttributeName: 'id', AttributeType: 'S'}]}]};
            """))
            run("npx", "--no-install", "jest", cwd=folder, env=environment)

    def test_vitest(self):
        with tempfile.TemporaryDirectory() as text:
            folder = pathlib.Path(text)
            (folder / "package.json").write_text('{"name": "x", "private": true, "type": "module"}')
            environment = {name: value for name, value in os.environ.items() if not name.startswith("PREJOIN")}
            run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES.glob("*.tgz"), "vitest@3", "@aws-sdk/client-dynamodb",
                cwd=folder, env=environment)
            (folder / "vitest.config.mjs").write_text("export default {test: {globalSetup: ['prejoin/vitest']}};\n")
            (folder / "tables.test.js").write_text(textwrap.dedent("""
                import {DynamoDBClient, ListTablesCommand} from '@aws-sdk/client-dynamodb';
                import {expect, inject, test} from 'vitest';
                test('the server of the preset answers', async () => {
                  const server = inject('dynamodb');
                  expect(process.env.AWS_ENDPOINT_URL_DYNAMODB).toEqual(server.endpoint);
                  expect((await new DynamoDBClient({}).send(new ListTablesCommand({}))).TableNames).toEqual([]);
                  expect((await new DynamoDBClient(server).send(new ListTablesCommand({}))).TableNames).toEqual([]);
                });
            """))
            self.assertIn("1 passed", run("npx", "--no-install", "vitest", "run", cwd=folder, env=environment))


if __name__ == "__main__":
    unittest.main(verbosity=2)
