#!/usr/bin/python3
"""`prejoin shell` in a pseudo-terminal, as a person uses it: statements, Ctrl-C, history, pages, completion; and from a pipe."""
import http.server
import csv
import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../rig"))
from server_process import ServerProcess  # noqa: E402

BINARY = os.environ["PREJOIN_BINARY"]
SCHOOL = os.path.join(os.path.dirname(__file__), "../../examples/models/d04_students_and_courses.prejoin")


class Terminal:
    """A shell in a terminal of 24 lines."""

    def __init__(self, endpoint, history, *arguments):
        environment = dict(os.environ, TERM="dumb", PREJOIN_HISTORY=history)
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execve(BINARY, [BINARY, "shell", "--endpoint", endpoint, *arguments], environment)
        self.text = ""
        self.wait_for("prejoin> ")

    def send(self, keys):
        self.text = ""
        os.write(self.file, keys.encode())

    def wait_for(self, what, seconds=20):
        end = time.monotonic() + seconds
        while what not in self.text:
            left = end - time.monotonic()
            if left <= 0:
                raise AssertionError(f"no {what!r} in {self.text!r}")
            if select.select([self.file], [], [], left)[0]:
                try:
                    self.text += os.read(self.file, 65536).decode(errors="replace")
                except OSError as gone:
                    raise AssertionError(f"ended without {what!r}: {self.text!r}") from gone
        return self.text

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            os.waitpid(self.pid, 0)
        except ChildProcessError:
            pass  # It ended by itself and was waited for.
        os.close(self.file)


class SlowEndpoint:
    """Keeps its first answer back until it is stopped; the others come at once and say which they are."""

    def __init__(self):
        self.arrived = threading.Event()
        self.release = threading.Event()
        self.statements = []
        slow = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if "Statement" not in request:  # The shell asks for the keys of the table.
                    return self.send_error(400)
                slow.statements.append(request["Statement"])
                slow.arrived.set()
                if len(slow.statements) == 1:
                    slow.release.wait(30)
                body = json.dumps({"Items": [{"n": {"S": f"answer {len(slow.statements)}"}}]}).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except ConnectionError:
                    pass  # Nobody waited for it.

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()


class Shell(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ServerProcess().start()
        subprocess.run([BINARY, "apply", SCHOOL, "--endpoint", cls.server.endpoint], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.history = os.path.join(self.folder.name, "history")

    def tearDown(self):
        self.folder.cleanup()

    def open(self, *arguments):
        terminal = Terminal(self.server.endpoint, self.history, *arguments)
        self.addCleanup(terminal.close)
        return terminal

    def test_a_statement_over_two_lines_with_units(self):
        shell = self.open()
        shell.send("SELECT * FROM \"School\"\r")
        shell.wait_for("-> ")
        shell.send("WHERE PK = 'STU#a91';\r")
        text = shell.wait_for("unit")
        self.assertIn("3 rows", text)
        self.assertIn("Ada Byron", text)

    def test_ctrl_c_ends_the_statement_and_not_the_shell(self):
        shell = self.open()
        shell.send("SELECT nonsense\r")
        shell.wait_for("-> ")
        shell.send("\x03")
        shell.wait_for("prejoin> ")
        shell.send("\\d\r")
        shell.wait_for("School")

    def test_ctrl_c_ends_a_statement_that_waits_for_its_answer(self):
        endpoint = SlowEndpoint()
        self.addCleanup(endpoint.stop)
        shell = Terminal(endpoint.url, self.history)
        self.addCleanup(shell.close)
        shell.send("SELECT * FROM slow;\r")
        self.assertTrue(endpoint.arrived.wait(20))
        shell.send("\x03")
        shell.wait_for("interrupted")
        shell.wait_for("prejoin> ")
        # Neither asked again nor answered by what the first was waiting for.
        shell.send("SELECT * FROM quick;\r")
        shell.wait_for("answer 2")
        self.assertEqual(endpoint.statements, ["SELECT * FROM slow", "SELECT * FROM quick"])

    def test_a_filter_that_finds_little_does_not_ask_for_each_page(self):
        lines = "".join(f"INSERT INTO \"School\" VALUE {{'PK': 'FEW', 'SK': 'n{i:03}', 'tone': '{'rare' if i == 50 else 'usual'}'}};\n"
                        for i in range(90))
        subprocess.run([BINARY, "shell", "--endpoint", self.server.endpoint], input=lines, text=True, check=True, capture_output=True)
        shell = self.open()
        shell.send("SELECT * FROM \"School\" WHERE PK = 'FEW' AND tone = 'rare';\r")
        text = shell.wait_for("unit")
        self.assertIn("1 row, ", text)
        self.assertNotIn("-- more", text)

    def test_an_error_leaves_the_shell_alive(self):
        shell = self.open()
        shell.send("SELECT * FROM \"Nowhere\";\r")
        shell.wait_for("error: ")
        shell.send("\\d School\r")
        shell.wait_for("index GSI1 partition GSI1PK")

    def test_an_error_is_said_without_its_json(self):
        shell = self.open()
        shell.send("SELEC x;\r")
        text = shell.wait_for("prejoin> ")
        self.assertIn("error: ExecuteStatement: Statement wasn't well formed", text)
        self.assertNotIn("HTTP", text)
        self.assertNotIn("__type", text)
        done = subprocess.run([BINARY, "shell", "--endpoint", self.server.endpoint], text=True, check=False, capture_output=True,
                              input="\\d\nSELECT * FROM \"Nowhere\";\n")
        self.assertIn("(in: SELECT * FROM \"Nowhere\")", done.stderr)

    def test_words_that_people_try_first(self):
        shell = self.open()
        for word in ("help", "HELP;", "?", "\\help"):
            shell.send(word + "\r")
            shell.wait_for("ends the shell")
            shell.wait_for("prejoin> ")
        # A command is one also where a statement has begun, which goes on behind it.
        shell.send("SELECT * FROM \"School\"\r")
        shell.wait_for("-> ")
        shell.send("\\help\r")
        shell.wait_for("ends the shell")
        shell.wait_for("-> ")
        shell.send("WHERE PK = 'STU#a91';\r")
        self.assertIn("3 rows", shell.wait_for("unit"))
        shell.send("exit\r")
        _, status = os.waitpid(shell.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        again = self.open()
        again.send("SELECT 1\r")
        again.wait_for("-> ")
        again.send("\\q\r")
        _, status = os.waitpid(again.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)

    def test_history_survives(self):
        shell = self.open()
        shell.send("\\d School\r")
        shell.wait_for("partition PK")
        shell.send("\\q\r")
        os.waitpid(shell.pid, 0)
        again = self.open()
        again.send("\x1b[A\x1b[A\r")  # Before the \\q that ended the first.
        again.wait_for("partition PK")

    def test_large_results_page(self):
        lines = "".join(f"INSERT INTO \"School\" VALUE {{'PK': 'MANY', 'SK': 'n{i:03}'}};\n" for i in range(60))
        subprocess.run([BINARY, "shell", "--endpoint", self.server.endpoint], input=lines, text=True, check=True, capture_output=True)
        shell = self.open()
        shell.send("SELECT * FROM \"School\" WHERE PK = 'MANY';\r")
        shell.wait_for("-- more")
        shell.send("\r")
        shell.wait_for("-- more")
        shell.send("q\r")
        self.assertIn("there is more", shell.wait_for("unit"))

    def test_patterns_of_a_model(self):
        shell = self.open("--model", SCHOOL)
        shell.send("\\run A11 course=math204\r")
        self.assertIn("2 rows, 1 request", shell.wait_for("unit"))
        shell.send("\\explain A11\r")
        shell.wait_for("Query School.GSI1")
        shell.send("\\explain SELECT * FROM \"School\" WHERE SK = 'x'\r")
        shell.wait_for("Scan of School")

    def test_tab_completes_tables_patterns_parameters_and_attributes(self):
        shell = self.open("--model", SCHOOL)
        shell.send("\\d Sch\t\r")
        shell.wait_for("index GSI1 partition GSI1PK")
        shell.send("\\run A9 st\ta91\r")
        self.assertIn("3 rows, 1 request", shell.wait_for("unit"))
        shell.send("\\exp\tA9\r")
        shell.wait_for("Query School")
        shell.send("SELECT enrolled\tFROM Sch\t WHERE PK = 'STU#a91' AND begins_with(SK, 'ENROLL');\r")
        # What explain still has to say names units too.
        self.assertIn("2024-03-01", shell.wait_for("2 rows"))

    def test_a_pipe_needs_no_terminal(self):
        done = subprocess.run([BINARY, "shell", "--endpoint", self.server.endpoint], text=True, check=True, capture_output=True,
                              input="SELECT * FROM \"School\" WHERE PK = 'CRS#cs101';\n\\call ListTables {}\n")
        self.assertIn("1 row, ", done.stdout)
        self.assertIn("\"TableNames\"", done.stdout)

    def test_a_script_gets_lines_of_json_and_an_exit_code(self):
        def run(text):
            return subprocess.run([BINARY, "shell", "--json", "--endpoint", self.server.endpoint, "--model", SCHOOL], text=True,
                                  check=False, capture_output=True, input=text)

        done = run("SELECT * FROM \"School\" WHERE PK = 'CRS#cs101'; SELECT * FROM \"School\" WHERE PK = 'STU#a91';\n")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["PK"] for row in rows], ["CRS#cs101"] + 3 * ["STU#a91"])
        self.assertEqual(done.returncode, 0)
        failed = run("SELECT * FROM \"Nowhere\";\n\\run A11 course='math 204'\n\\run A11 course=math204\n")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("error: ", failed.stderr)
        self.assertEqual(len(failed.stdout.splitlines()), 2)

    def script(self, text, *options):
        return subprocess.run([BINARY, "shell", "--endpoint", self.server.endpoint, "--model", SCHOOL, *options], text=True, check=False,
                              capture_output=True, input=text)

    def test_rows_in_the_forms_that_other_programs_read(self):
        self.script("INSERT INTO \"School\" VALUE {'PK': 'FORM', 'SK': 'a', 'note': 'x|\"y\",z', 'tags': ['p', 'q']};\n"
                    "INSERT INTO \"School\" VALUE {'PK': 'FORM', 'SK': 'b', 'late': true};\n")
        select = "SELECT * FROM \"School\" WHERE PK = 'FORM';\n"
        rows = list(csv.DictReader(io.StringIO(self.script(select, "--format", "csv").stdout)))
        self.assertEqual(list(rows[0])[:2], ["PK", "SK"])
        self.assertEqual(rows[0]["note"], 'x|"y",z')
        self.assertEqual(json.loads(rows[0]["tags"]), ["p", "q"])
        self.assertEqual([row["late"] for row in rows], ["", "true"])
        lines = self.script(select, "--format", "markdown").stdout.splitlines()
        self.assertTrue(lines[0].startswith("| PK | SK |"))
        self.assertEqual(len(lines), 4)
        self.assertIn('x\\|"y",z', lines[2])
        expanded = self.script("\\x\n" + select).stdout
        self.assertRegex(expanded, r"-\[ row 1 \]\nPK +\| FORM\nSK +\| a\n")
        self.assertIn("1 request", self.script("\\format expanded\n\\run A11 course=math204\n").stdout)
        self.assertIn("\\format is table, expanded", self.script("\\format what\n").stderr)

    def test_keys_stand_in_front(self):
        self.assertTrue(self.script("SELECT * FROM \"School\" WHERE PK = 'STU#a91';\n").stdout.startswith("PK "))

    def test_timing_and_watch(self):
        select = "SELECT * FROM \"School\" WHERE PK = 'CRS#cs101';\n"
        done = self.script("\\timing\n" + select + "\\watch 0.1 3\n")
        self.assertEqual(done.stdout.count("1 row, "), 4, done.stdout)
        self.assertEqual(done.stdout.count("Time: "), 4)
        self.assertEqual(self.script("\\watch\n").returncode, 1)
        self.assertEqual(self.script(select + "\\watch x\n").returncode, 1)

    def test_an_error_of_a_statement_shows_its_place(self):
        failed = self.script("SELECT * FROM \"School\" WHERE nothing(PK);\n")
        self.assertEqual(failed.returncode, 1)
        self.assertRegex(failed.stderr, r"SELECT \* FROM \"School\" WHERE nothing\(PK\)\n +\^+\n")


if __name__ == "__main__":
    sys.exit(unittest.main())
