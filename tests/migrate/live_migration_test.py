#!/usr/bin/python3
"""A migration under load: an application writes both forms 200 times a second, and the migrator is killed again and again.

PREJOIN_MIGRATE_ITEMS is the number of items (default 4,000; 100,000 takes some minutes), PREJOIN_MIGRATE_KILLS that of kills.
"""
import json
import os
import random
import subprocess
import sys
import threading
import time
import unittest

from migrate_cli_test import Application, Migrate, in_order, typed

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../rig"))
from dynamo_client import DynamoClient  # noqa: E402
from server_process import binary  # noqa: E402

ITEMS = int(os.environ.get("PREJOIN_MIGRATE_ITEMS", "4000"))
KILLS = int(os.environ.get("PREJOIN_MIGRATE_KILLS", "5"))
WRITES_PER_SECOND = 200
ORDERS_EACH = 19
PASSES = "40"


class Busy(Application):
    """The same application with many rows, at a steady rate."""

    def __init__(self, endpoint, seed):
        super().__init__(endpoint, seed)
        self.customers = {f"{i:05}": f"Name {i}" for i in range(ITEMS // (ORDERS_EACH + 1))}
        self.numbers = {}  # Customer → numbers of orders.
        self.late = 0
        self.error = None

    def fill(self):
        batch = []
        for customer, name in self.customers.items():
            batch.append(typed(PK=f"C#{customer}", SK="C", id=customer, name=name))
            self.numbers[customer] = [f"{i:04}" for i in range(ORDERS_EACH)]
            for number in self.numbers[customer]:
                day = f"2025-01-{1 + int(number):02}"
                self.orders[customer, number] = (day, "open")
                batch.append(typed(PK=f"C#{customer}", SK=f"O#{number}", GSI1PK=day, GSI1SK=f"O#{number}", customer=customer, id=number,
                                   day=day, status="open"))
        for begin in range(0, len(batch), 25):
            left = {"Shop": [{"PutRequest": {"Item": item}} for item in batch[begin:begin + 25]]}
            while left:
                left = self.client.call("BatchWriteItem", RequestItems=left)["UnprocessedItems"]
        return len(batch)

    def put_customer(self, number):
        self.client.call("PutItem", TableName="Shop", Item=typed(PK=f"C#{number}", SK="C", id=number, name=self.customers[number]))
        if self.both:
            self.client.call("PutItem", TableName="Shop-2", Item=self.new_customer(number))
            for order in self.numbers[number]:
                self.client.call("PutItem", TableName="Shop-2", Item=self.new_order(number, order))

    def write_something(self):
        customer = self.random.choice(list(self.customers))
        what = self.random.random()
        numbers = self.numbers[customer]
        if what < 0.02:
            self.customers[customer] = f"Name {self.random.randrange(10**6)}"
            self.put_customer(customer)
        elif what < 0.3 or not numbers:
            number = f"{1000 + self.random.randrange(9000):04}"
            if number not in numbers:
                numbers.append(number)
            self.put_order(customer, number, "2025-02-01", "open")
        elif what < 0.8:
            self.put_order(customer, self.random.choice(numbers), f"2025-03-{1 + self.random.randrange(28):02}", "paid")
        else:
            number = numbers.pop(self.random.randrange(len(numbers)))
            day, _ = self.orders.pop((customer, number))
            self.client.call("DeleteItem", TableName="Shop", Key=typed(PK=f"C#{customer}", SK=f"O#{number}"))
            if self.both:
                self.delete_new(customer, number, day)
        self.writes += 1

    def run(self):
        try:
            due = time.monotonic()
            while not self.stopped.is_set():
                self.write_something()
                due += 1 / WRITES_PER_SECOND
                wait = due - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                elif wait < -1:
                    self.late += 1
                    due = time.monotonic()
        except Exception as error:  # pylint: disable=broad-except
            self.error = error


class LiveMigration(Migrate):
    # Only what is below; the class gives the server and the files.
    test_kills_and_writes_lose_nothing = None
    test_settles_while_both_forms_are_written = None

    def kill_often(self, chance):
        """Runs of the migrator that are ended by SIGKILL at any moment, until it has been killed often enough or is done."""
        killed = 0
        longest = max(1.0, ITEMS / 6000)
        for _ in range(KILLS):
            process = subprocess.Popen(self.command("--run", "--passes", PASSES), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=0.1 + chance.random() * longest)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed += 1
        return killed

    def long_run(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=900, check=False)

    def test_it_converges_cuts_over_and_audits_clean(self):
        seed = int(os.environ.get("PREJOIN_TEST_SEED", random.randrange(2**32)))
        subprocess.run([binary(), "apply", self.files[0], "--endpoint", self.server.endpoint], check=True, timeout=60,
                       stdout=subprocess.DEVNULL)
        application = Busy(self.server.endpoint, seed)
        self.addCleanup(application.client.close)
        filled = application.fill()
        client = DynamoClient(self.server.endpoint)
        self.addCleanup(client.close)
        writer = threading.Thread(target=application.run)
        started = time.monotonic()
        writer.start()
        try:
            first = subprocess.Popen(self.command("--run", "--passes", "1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            deadline = time.monotonic() + 60
            while "Shop-2" not in client.call("ListTables")["TableNames"] and time.monotonic() < deadline:
                time.sleep(0.02)
            time.sleep(0.2)
            first.kill()
            first.wait()
            application.both = True
            killed = self.kill_often(random.Random(seed))
            done = self.long_run("--run", "--passes", PASSES, "--json")
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
            cut_over = self.long_run("--cut-over")
            self.assertEqual(cut_over.returncode, 0, cut_over.stdout[-2000:] + cut_over.stderr[-2000:])
        finally:
            application.stopped.set()
            writer.join()
        seconds = time.monotonic() - started
        self.assertIsNone(application.error)
        client = DynamoClient(self.server.endpoint)  # The server closed the idle connection of the first.
        self.addCleanup(client.close)
        self.assertGreater(application.writes, 100)
        self.assertEqual(in_order(client.scan_all(TableName="Shop-2")), in_order(application.new_items()))
        audit = subprocess.run([binary(), "audit", self.files[1], "--endpoint", self.server.endpoint, "--stored-as", "Shop-2", "--json"],
                               capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(audit.returncode, 0, audit.stdout[-2000:] + audit.stderr)
        print(f"PREJOIN_TEST_SEED={seed}: {filled} items, {application.writes} writes in {seconds:.0f} s ({application.writes / seconds:.0f}/s, "
              f"{application.late} times late), {killed + 1} kills, run {json.loads(done.stdout)}", file=sys.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "LiveMigration"])
