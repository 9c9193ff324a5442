"""The machine that a program is for, by each name that packages have for it. The program itself says which."""

import dataclasses
import platform
import struct


@dataclasses.dataclass(frozen=True)
class Machine:
    elf: int  # e_machine of <elf.h>.
    kernel: str  # As `uname -m` and wheels call it.
    image: str  # As images and Debian call it.
    node: str  # As process.arch of Node.js calls it; archives too.
    compiler: str
    emulator: str  # Runs its programs on other machines.

    def command(self, program):
        """The words that run `program` here."""
        return (program,) if platform.machine() == self.kernel else (self.emulator, program)


MACHINES = (
    Machine(62, "x86_64", "amd64", "x64", "g++", "qemu-x86_64-static"),
    Machine(183, "aarch64", "arm64", "arm64", "aarch64-linux-gnu-g++", "qemu-aarch64-static"),
)


def machine_of(program):
    """The machine of a program, given as bytes."""
    number = struct.unpack_from("<H", program, 18)[0]
    for machine in MACHINES:
        if machine.elf == number:
            return machine
    raise SystemExit(f"the program is for a machine that no package is written for (e_machine {number})")
