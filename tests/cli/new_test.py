#!/usr/bin/python3
"""`prejoin new`: a person at a terminal and a file of answers get the same proved design."""
import os
import pathlib
import pty
import select
import signal
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ["PREJOIN_BINARY"]
ANSWERS = pathlib.Path(__file__).parent.parent / "draft/answers"


def answers_of(name):
    return [line for line in (ANSWERS / f"{name}.txt").read_text().splitlines() if not line.startswith("#")]


def run(*words, stdin=None):
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=120, check=False, input=stdin)


class Person:
    """A command in a terminal."""

    def __init__(self, *words):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execve(BINARY, [BINARY, *map(str, words)], dict(os.environ, TERM="dumb"))
        self.text = ""

    def read(self, seconds=60):
        """More text; False when the command ended."""
        if not select.select([self.file], [], [], seconds)[0]:
            raise AssertionError(f"nothing more behind {self.text!r}")
        try:
            more = os.read(self.file, 65536)
        except OSError:
            return False
        self.text += more.decode(errors="replace")
        return bool(more)

    def wait_for_question(self):
        while not self.text.endswith(": "):
            if not self.read():
                raise AssertionError(f"ended: {self.text!r}")
        asked, self.text = self.text, ""
        return asked

    def answer(self, line):
        asked = self.wait_for_question()
        os.write(self.file, (line + "\r").encode())
        # The echo of the answer is no question.
        end = time.monotonic() + 60
        while "\n" not in self.text and time.monotonic() < end:
            if not self.read():
                break
        self.text = self.text.partition("\n")[2]
        return asked

    def end(self):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self.file)


class New(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_person_is_asked_and_asked_again(self):
        file = self.folder / "clinic.prejoin"
        person = Person("new", file)
        self.addCleanup(person.close)
        wanted = answers_of("clinic")
        asked = [person.answer(wanted[0]), person.answer("Owner: id, count")]
        self.assertIn("What is the model called? [My model]: ", asked[0])
        self.assertIn("Write one per line", asked[1])
        for number, line in enumerate(wanted[1:]):
            asked.append(person.answer(line))
            if number == 0:
                self.assertIn("choose another name for the attribute", asked[-1])
        questions = "\n".join(asked)
        for part in ("1. How many pets does an owner have on average, and at most? [1.8, at most 1000]: ",
                     "2. Which do you read?  1: the pets of an owner  2: a pet with its owner  3: both",
                     "3. How often is a pet created",
                     "4. With the pets of an owner, is the owner itself read too? [yes]: "):
            self.assertIn(part, questions)
        self.assertEqual(person.end(), 0, person.text)
        self.assertIn("Proved by execution on", person.text)
        self.assertIn("Why", person.text)
        self.assertIn("Entity chart of VeterinaryClinic", person.text)
        again = self.folder / "again.prejoin"
        self.assertEqual(run("new", again, stdin="\n".join(wanted) + "\n").returncode, 0)
        self.assertEqual(file.read_text(), again.read_text())

    def test_entities_of_any_script_are_designed_and_proved(self):
        for name in ("Über", "Épée", "Заказ", "注文", "🚲", "Ͷ", "𐐀x"):
            with self.subTest(name=name):
                file = self.folder / "any.prejoin"
                file.unlink(missing_ok=True)
                done = run("new", file, stdin=f"Shop\n{name}: id, name\n")
                self.assertEqual(done.returncode, 0, done)
                self.assertIn("Proved by execution on", done.stdout)

    def test_answers_of_a_file_give_a_design_that_checks_and_proves(self):
        for name in ("clinic", "podcasts"):
            with self.subTest(name=name):
                file = self.folder / f"{name}.prejoin"
                done = run("new", file, stdin=(ANSWERS / f"{name}.txt").read_text())
                self.assertEqual(done.returncode, 0, done)
                self.assertIn("No design in the search space costs less", done.stdout)
                self.assertIn("Proved by execution on", done.stdout)
                # Every index is there for a reason that is said.
                for index in [line for line in file.read_text().splitlines() if line.startswith("  index ")]:
                    self.assertIn("// Supports ", file.read_text().split(index)[0].splitlines()[-1])
                self.assertEqual(run("check", file).returncode, 0)
                self.assertEqual(run("prove", file).returncode, 0)
                self.assertEqual(run("fmt", "--check", file).returncode, 0)

    def test_nothing_but_names_is_enough(self):
        done = run("new", "-", stdin="\nCustomer\n\nOrder\n\n\nCustomer has many Order\n")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("Proved by execution on", done.stderr)
        self.assertEqual(run("prove", "-", stdin=done.stdout).returncode, 0)

    def test_refusals(self):
        file = self.folder / "a.prejoin"
        wrong = run("new", file, stdin="Shop\nOrder: id\nmany\n")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("line 3, `How many orders are there, approximately?`: `many` is not a number", wrong.stderr)
        self.assertFalse(file.exists())
        self.assertEqual(run("new", file, stdin="").returncode, 2)
        logical = run("new", file, "--logical", stdin="Shop\nOrder: id\n")
        self.assertEqual(logical.returncode, 0, logical)
        self.assertNotIn("table ", file.read_text())
        self.assertIn("exists already", run("new", file, stdin="Shop\nOrder: id\n").stderr)


if __name__ == "__main__":
    unittest.main()
