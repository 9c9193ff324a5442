"""What can go wrong in a cluster, each while clients go on. A fault ends when everything is back, but for a clock that was stepped."""

import signal
import time

# The lead goes on after this long at the latest, on a machine that is busy with other things.
LEAD_S_MAX = 60
CLOCK_STEP_S = 30


def wait_until(holds, otherwise, seconds=LEAD_S_MAX):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(otherwise)
        time.sleep(0.1)


class Faults:
    def __init__(self, ceph, gateways, source, lease_ms):
        self.ceph, self.gateways, self.source, self.lease_s = ceph, gateways, source, lease_ms / 1000
        self.osd = source.randrange(ceph.osds)

    def other(self):
        leader = self.gateways.leader()
        return self.source.choice([gateway for gateway in self.gateways.all if gateway is not leader])

    def kill(self, gateway):
        gateway.kill()
        self.gateways.replace(gateway)
        self.gateways.leader()

    def pause(self, gateway, seconds):
        gateway.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        gateway.process.send_signal(signal.SIGCONT)

    def kill_leader(self):
        self.kill(self.gateways.leader())

    def kill_other(self):
        self.kill(self.other())

    def kill_all(self):
        """All gateways at once; one after the other comes back."""
        for gateway in self.gateways.all:
            gateway.kill()
        for gateway in list(self.gateways.all):
            self.gateways.replace(gateway)
        self.gateways.leader()

    def pause_leader(self):
        """For longer than its lease: another one leads when it wakes up."""
        leader = self.gateways.leader()
        epoch = self.gateways.epoch()
        leader.process.send_signal(signal.SIGSTOP)
        wait_until(lambda: self.gateways.epoch() > epoch, "nobody takes over from a gateway that sleeps")
        time.sleep(self.lease_s / 2)
        leader.process.send_signal(signal.SIGCONT)
        wait_until(lambda: leader.alive() and (self.gateways.leader() is not leader or self.gateways.epoch() > epoch + 1),
                   "a gateway that slept leads on, or is gone")

    def pause_leader_shortly(self):
        """For about as long as its lease: who leads then is open."""
        self.pause(self.gateways.leader(), self.lease_s * self.source.uniform(0.5, 1.2))

    def pause_other(self):
        self.pause(self.other(), self.lease_s * self.source.uniform(0.5, 1.5))

    def step_clock_of_leader(self):
        self.gateways.leader().step_clock(self.source.choice([-CLOCK_STEP_S, CLOCK_STEP_S]))
        time.sleep(0.5)

    def step_clock_of_other(self):
        """And it leads from then on, if it is quick."""
        self.other().step_clock(self.source.choice([-CLOCK_STEP_S, CLOCK_STEP_S]))
        self.kill_leader()

    def kill_osd(self):
        self.ceph.kill_osd(self.osd)
        time.sleep(self.source.uniform(0.2, 1.5))
        self.ceph.start_osd(self.osd)
        self.ceph.wait_ready()

    def pause_osd(self):
        name = f"osd.{self.osd}"
        self.ceph.signal(name, signal.SIGSTOP)
        time.sleep(self.source.uniform(0.5, 3))
        self.ceph.signal(name, signal.SIGCONT)
        self.ceph.wait_ready()


OF_GATEWAYS = ["kill_leader", "kill_other", "kill_all", "pause_leader", "pause_leader_shortly", "pause_other"]
OF_CLOCKS = ["step_clock_of_leader", "step_clock_of_other"]
OF_OSDS = ["kill_osd", "pause_osd"]


def plan(source, round_number):
    """The names of the faults of a round: one of a clock, one of an OSD in two rounds of three, and of gateways; every kind comes in its turn."""
    chosen = [OF_CLOCKS[round_number % 2], OF_GATEWAYS[round_number % len(OF_GATEWAYS)], source.choice(OF_GATEWAYS)]
    if round_number % 3:
        chosen.append(OF_OSDS[round_number // 2 % 2])
    source.shuffle(chosen)
    return chosen
