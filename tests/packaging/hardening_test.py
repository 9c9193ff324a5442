"""The program that users run is hardened, and says nothing of the machine that built it. PREJOIN_BINARY names it."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["PREJOIN_BINARY"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def readelf(*options):
    return subprocess.run(["readelf", "--wide", *options, PROGRAM], check=True, capture_output=True, text=True).stdout


@unittest.skipIf(os.environ.get("PREJOIN_SANITIZE"), "a sanitizer takes the place of hardening")
class HardenedProgram(unittest.TestCase):
    def test_is_position_independent(self):
        self.assertRegex(readelf("-h"), r"Type:\s+DYN \(Position-Independent Executable file\)")

    def test_relocations_are_read_only_before_main(self):
        self.assertIn("GNU_RELRO", readelf("-l"))
        self.assertTrue(re.search(r"BIND_NOW|FLAGS.*NOW", readelf("-d")), "symbols are bound late")

    def test_no_memory_is_writable_and_executable(self):
        for line in readelf("-l").splitlines():
            fields = line.split()
            if fields and fields[0] in ("LOAD", "GNU_STACK"):
                flags = "".join(fields[6:-1])
                self.assertFalse("W" in flags and "E" in flags, line)

    def test_stack_and_buffers_are_checked(self):
        symbols = readelf("--dyn-syms")
        for name in ("__stack_chk_fail", "__memcpy_chk"):
            self.assertTrue(name in symbols, name)

    @unittest.skipUnless(os.uname().machine == "x86_64", "control-flow protection is a feature of x86-64 processors")
    def test_jumps_have_marked_targets(self):
        # The note that the whole program is so is missing, because Debian's start files of the C library are not.
        code = subprocess.run(["objcopy", "--dump-section", ".text=/dev/stdout", PROGRAM, "/dev/null"], check=True, capture_output=True).stdout
        self.assertGreater(code.count(b"\xf3\x0f\x1e\xfa"), 10_000)

    def test_stripped_program_names_no_folder_of_its_build(self):
        with tempfile.TemporaryDirectory() as folder:
            stripped = pathlib.Path(folder) / "prejoin"
            subprocess.run(["objcopy", "--strip-all", PROGRAM, str(stripped)], check=True)
            self.assertFalse(str(SOURCE).encode() in stripped.read_bytes(), f"it names {SOURCE}")


if __name__ == "__main__":
    unittest.main()
