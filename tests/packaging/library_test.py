#!/usr/bin/python3
"""The C library from C, C++, Go, Rust and Python, and what it exports. PREJOIN_LIBRARY names it; PREJOIN_BINARY the program."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(os.environ["PREJOIN_LIBRARY"])
SANITIZE = os.environ.get("PREJOIN_SANITIZE")
SOURCE = ROOT / "tests/packaging/use_library.c"

sys.path.insert(0, str(ROOT / "packaging/python"))


class FromC(unittest.TestCase):
    def run_program(self, *compiler, under=()):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            flags = ["-fsanitize=address,undefined"] if SANITIZE == "address" else ["-fsanitize=thread"] if SANITIZE else []
            subprocess.run([*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", *flags, f"-I{ROOT}/include", str(SOURCE), "-o", str(program),
                            f"-L{LIBRARY.parent}", "-lprejoin", f"-Wl,-rpath,{LIBRARY.parent}"], check=True, timeout=100)
            result = subprocess.run([*under, str(program)], capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertRegex(result.stdout, r"^\d+\.\d+\.\d+, ABI \d+: 0 failures$")

    def test_c99(self):
        self.run_program("gcc", "-std=c99")

    def test_cpp(self):
        self.run_program("g++", "-std=c++11", "-x", "c++")

    @unittest.skipIf(SANITIZE, "valgrind does not run instrumented programs")
    @unittest.skipUnless(shutil.which("valgrind"), "there is no valgrind")
    def test_touches_no_memory_of_others_and_leaks_none(self):
        self.run_program("gcc", "-std=c99", under=["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full",
                                                   "--errors-for-leak-kinds=definite,indirect"])

    def test_exports_nothing_but_its_own_names(self):
        lines = subprocess.run(["nm", "-D", "--defined-only", str(LIBRARY)], check=True, capture_output=True, text=True).stdout.splitlines()
        names = {line.split()[-1].split("@")[0] for line in lines} - {"PREJOIN_1"}
        if SANITIZE:  # The sanitizers of test builds add theirs.
            names = {name for name in names if not name.startswith("_")}
        declared = set(re.findall(r"^PREJOIN_API .*?\b(prejoin_\w+)\(", (ROOT / "include/prejoin/prejoin.h").read_text(), re.M))
        self.assertGreater(len(declared), 8)
        self.assertEqual(names, declared)


@unittest.skipIf(SANITIZE, "these compilers instrument nothing")
class FromOtherLanguages(unittest.TestCase):
    """Each names the library and the header itself, so these are what a binding has to do, and no binding."""

    def judge(self, *command, **environment):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "LD_LIBRARY_PATH": str(LIBRARY.parent), **environment}
            result = subprocess.run(["sh", "-ec", " ".join(command)], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual((result.returncode, result.stdout), (0, "0 failures\n"), result.stdout + result.stderr)

    @unittest.skipUnless(shutil.which("go"), "there is no go")
    def test_go(self):
        self.judge("go run", str(SOURCE.with_suffix(".go")), CGO_ENABLED="1", CGO_CFLAGS=f"-I{ROOT}/include", CGO_LDFLAGS=f"-L{LIBRARY.parent} -lprejoin")

    @unittest.skipUnless(shutil.which("rustc"), "there is no rustc")
    def test_rust(self):
        self.judge(f"rustc --edition 2021 -D warnings -L {LIBRARY.parent} -l dylib=prejoin -o program {SOURCE.with_suffix('.rs')} && ./program")


@unittest.skipIf(SANITIZE, "Python itself is not instrumented")
class FromPython(unittest.TestCase):
    def setUp(self):
        import prejoin

        self.prejoin = prejoin

    def table(self, database):
        return database.resource().create_table(TableName="Songs", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
                                                AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}])

    def test_boto3_in_process(self):
        with self.prejoin.Database() as database:
            table = self.table(database)
            table.put_item(Item={"k": "a", "n": 1})
            self.assertEqual(table.get_item(Key={"k": "a"})["Item"]["n"], 1)
            client = database.client()
            with self.assertRaises(client.exceptions.ConditionalCheckFailedException):
                client.put_item(TableName="Songs", Item={"k": {"S": "a"}}, ConditionExpression="attribute_not_exists(k)")
            self.assertEqual(database.client("dynamodbstreams").list_streams()["Streams"], [])

    def test_mock_reaches_every_client_and_ends_with_its_block(self):
        import boto3

        before = dict(os.environ)
        with self.prejoin.mock() as outer:
            self.table(outer)
            self.assertEqual(boto3.client("dynamodb").list_tables()["TableNames"], ["Songs"])
            with self.prejoin.mock():
                self.assertEqual(boto3.client("dynamodb").list_tables()["TableNames"], [])
            self.assertEqual(boto3.client("dynamodb").list_tables()["TableNames"], ["Songs"])
        self.assertEqual(dict(os.environ), before)

    def test_only_requests_that_leave_the_process_are_signed(self):
        import boto3
        from prejoin._boto import _response

        client = boto3.client("dynamodb", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
        with self.prejoin.mock():
            inside = boto3.client("dynamodb")
        signed = []

        def answer(request, **_):
            signed.append("Authorization" in request.headers)
            return _response(request.url, 400, b"{}")

        for one in (client, inside):
            one.meta.events.register_first("before-send.dynamodb", answer)
            for _ in range(2):
                with self.assertRaises(one.exceptions.ClientError):
                    one.list_tables()
        self.assertEqual(signed, [True] * 4)
        self.prejoin.patch(client)
        client.meta.events.unregister("before-send.dynamodb", unique_id="prejoin-send-dynamodb")
        with self.assertRaises(client.exceptions.ClientError):
            client.list_tables()
        self.assertEqual(signed, [True] * 4 + [False])

    def test_each_fork_of_a_snapshot_is_on_its_own(self):
        with self.prejoin.Database() as database:
            self.table(database)
            snapshot = database.snapshot()
        wrong = []

        def work(number):
            for _ in range(20):
                with snapshot.open() as fork:
                    for i in range(number):
                        fork.call("PutItem", TableName="Songs", Item={"k": {"S": str(i)}})
                    if fork.call("Scan", TableName="Songs")["Count"] != number:
                        wrong.append(number)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_errors_say_what_is_wrong(self):
        with self.assertRaisesRegex(self.prejoin.PrejoinError, "sync"):
            self.prejoin.Database(sync="maybe")
        database = self.prejoin.Database()
        with self.assertRaisesRegex(Exception, "ResourceNotFoundException"):
            database.call("DescribeTable", TableName="Missing")
        database.close()
        database.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            database.call("ListTables")

    def test_a_library_that_cannot_be_loaded_names_the_way_out(self):
        program = "import prejoin; prejoin.Database()"
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False,
                                env={**os.environ, "PREJOIN_LIBRARY": "/no/such.so", "PYTHONPATH": str(ROOT / "packaging/python")})
        self.assertIn("prejoin.start()", result.stderr)

    def test_a_server_starts_and_stops(self):
        import boto3

        with self.prejoin.start() as server:
            self.assertEqual(boto3.client("dynamodb", **server.client_options).list_tables()["TableNames"], [])
        with self.assertRaisesRegex(RuntimeError, "exit code 2"):
            self.prejoin.start(options=["--no-such-option"])


if __name__ == "__main__":
    unittest.main()
