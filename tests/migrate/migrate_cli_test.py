#!/usr/bin/python3
"""`prejoin migrate` as a process that is killed, on a server that an application writes to meanwhile."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rig"))
from dynamo_client import DynamoClient
from server_process import ServerProcess, binary

LOGICAL = """
entity Customer {
  id   text key
  name text
}
entity Order {
  customer references Customer.id key
  id       text key
  day      date
  status   text values ("open", "paid")
}
relationship Orders: Customer one-to-many Order {
  each Customer has ~10, unbounded
}
pattern OrdersOf "Orders of a customer" {
  find Order where customer = :c
}
pattern OfDay "Orders of a day, with the customer's name" {
  find Order where day = :d get id, customer, Customer.name
}
"""
OLD = LOGICAL + """
table Shop partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project all

  item Customer {
    PK = "C#{id}"
    SK = "C"
  }
  item Order {
    PK     = "C#{customer}"
    SK     = "O#{id}"
    GSI1PK = "{day}"
    GSI1SK = "O#{id}"
  }
}
"""
NEW = LOGICAL + """
table Shop partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project all

  item Customer {
    PK = "CUSTOMER#{id}"
    SK = "CUSTOMER"
  }
  item Order {
    PK     = "DAY#{day}"
    SK     = "{customer}#{id}"
    GSI1PK = "CUSTOMER#{customer}"
    GSI1SK = "{id}"
    who    = copy of Customer.name kept by stream
  }
}
"""
CUSTOMERS = 60
ORDERS = 10
KILLS = int(os.environ.get("PREJOIN_MIGRATE_KILLS", "6"))


def typed(**attributes):
    return {name: {"S": value} for name, value in attributes.items()}


class Application:
    """Knows every row that it wrote. With `both`, it writes the new form behind the old one, in requests of their own."""

    def __init__(self, endpoint, seed):
        self.client = DynamoClient(endpoint)
        self.both = False
        self.random = random.Random(seed)
        self.customers = {f"{i:03}": f"Name {i}" for i in range(CUSTOMERS)}
        self.orders = {}
        self.stopped = threading.Event()
        self.writes = 0

    def put_customer(self, number):
        name = self.customers[number]
        self.client.call("PutItem", TableName="Shop", Item=typed(PK=f"C#{number}", SK="C", id=number, name=name))
        if self.both:
            self.client.call("PutItem", TableName="Shop-2", Item=self.new_customer(number))
            for order in [key for key in self.orders if key[0] == number]:
                self.client.call("PutItem", TableName="Shop-2", Item=self.new_order(*order))

    def put_order(self, customer, number, day, status):
        before = self.orders.get((customer, number))
        self.orders[customer, number] = (day, status)
        self.client.call("PutItem", TableName="Shop", Item=typed(
            PK=f"C#{customer}", SK=f"O#{number}", GSI1PK=day, GSI1SK=f"O#{number}", customer=customer, id=number, day=day,
            status=status))
        if self.both:
            self.client.call("PutItem", TableName="Shop-2", Item=self.new_order(customer, number))
            if before and before[0] != day:
                self.delete_new(customer, number, before[0])

    def delete_new(self, customer, number, day):
        self.client.call("DeleteItem", TableName="Shop-2", Key=typed(PK=f"DAY#{day}", SK=f"{customer}#{number}"))

    def fill(self):
        for customer in self.customers:
            self.put_customer(customer)
            for i in range(ORDERS):
                self.put_order(customer, f"{i:04}", f"2025-01-{1 + i:02}", "open")

    def write_something(self):
        # Customer 000 is left alone, so that readers know what to expect.
        customer = self.random.choice(list(self.customers)[1:])
        what = self.random.randrange(4)
        if what == 0:
            self.customers[customer] = f"Name {self.random.randrange(10**6)}"
            self.put_customer(customer)
        elif what == 1:
            self.put_order(customer, f"{self.random.randrange(10**4):04}", "2025-02-01", "open")
        else:
            customer, number = self.random.choice([key for key in self.orders if key[0] != "000"])
            if what == 2:
                # The day is a part of the new key.
                self.put_order(customer, number, f"2025-03-{1 + self.random.randrange(28):02}", "paid")
            else:
                day, _ = self.orders.pop((customer, number))
                self.client.call("DeleteItem", TableName="Shop", Key=typed(PK=f"C#{customer}", SK=f"O#{number}"))
                if self.both:
                    self.delete_new(customer, number, day)
        self.writes += 1

    def run(self):
        while not self.stopped.is_set():
            self.write_something()
            time.sleep(0.002)

    def new_customer(self, number):
        return typed(PK=f"CUSTOMER#{number}", SK="CUSTOMER", id=number, name=self.customers[number])

    def new_order(self, customer, number):
        day, status = self.orders[customer, number]
        return typed(PK=f"DAY#{day}", SK=f"{customer}#{number}", GSI1PK=f"CUSTOMER#{customer}", GSI1SK=number, customer=customer,
                     id=number, day=day, status=status, who=self.customers[customer])

    def new_items(self):
        return [self.new_customer(number) for number in self.customers] + [self.new_order(*order) for order in self.orders]


def in_order(items):
    return sorted(items, key=lambda item: (item["PK"]["S"], item["SK"]["S"]))


class Migrate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        (folder / "old.prejoin").write_text(OLD)
        (folder / "new.prejoin").write_text(NEW)
        self.files = [str(folder / "old.prejoin"), str(folder / "new.prejoin")]
        self.server = ServerProcess().start()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(self.server.stop)

    def command(self, *arguments):
        return [binary(), "migrate", *self.files, "--endpoint", self.server.endpoint, "--write-units", "0", *arguments]

    def run_verb(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=120, check=False)

    def kill_sometimes(self, reader, chance):
        """Runs of the migrator until some were ended by SIGKILL; gives how many."""
        killed = 0
        patience = 0.3  # Less where a run ends sooner.
        while killed < KILLS:
            process = subprocess.Popen(self.command("--run", "--passes", "3"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=chance.random() * patience)
                patience /= 2
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed += 1
            # The old patterns are answered all the time.
            orders = reader.call("Query", TableName="Shop", KeyConditionExpression="PK = :p and begins_with(SK, :o)",
                                 ExpressionAttributeValues={":p": {"S": "C#000"}, ":o": {"S": "O#"}})
            self.assertEqual(orders["Count"], ORDERS)
        return killed

    def test_kills_and_writes_lose_nothing(self):
        seed = int(os.environ.get("PREJOIN_TEST_SEED", random.randrange(2**32)))
        print(f"PREJOIN_TEST_SEED={seed}")
        chance = random.Random(seed)
        plan = subprocess.run([binary(), "migrate", *self.files], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(plan.returncode, 0, plan.stderr)
        self.assertIn("table Shop-2 is created", plan.stdout)
        subprocess.run([binary(), "apply", self.files[0], "--endpoint", self.server.endpoint], check=True, timeout=60,
                       stdout=subprocess.DEVNULL)
        application = Application(self.server.endpoint, seed)
        self.addCleanup(application.client.close)
        application.fill()
        writer = threading.Thread(target=application.run)
        writer.start()
        client = DynamoClient(self.server.endpoint)
        self.addCleanup(client.close)
        killed = self.kill_sometimes(client, chance)
        application.stopped.set()
        writer.join()
        self.assertGreater(killed, 0)
        self.assertGreater(application.writes, 0)

        self.assertEqual(self.run_verb("--finish").returncode, 1)
        done = self.run_verb("--run")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.run_verb("--cut-over")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(in_order(client.scan_all(TableName="Shop-2")), in_order(application.new_items()))
        done = self.run_verb("--finish")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(client.call("ListTables")["TableNames"], ["Shop-2"])
        self.assertEqual(in_order(client.scan_all(TableName="Shop-2")), in_order(application.new_items()))

    def test_settles_while_both_forms_are_written(self):
        """The application never stops; real differences are planted among those that are writes on their way."""
        seed = int(os.environ.get("PREJOIN_TEST_SEED", random.randrange(2**32)))
        print(f"PREJOIN_TEST_SEED={seed}")
        subprocess.run([binary(), "apply", self.files[0], "--endpoint", self.server.endpoint], check=True, timeout=60,
                       stdout=subprocess.DEVNULL)
        application = Application(self.server.endpoint, seed)
        self.addCleanup(application.client.close)
        application.fill()
        self.assertEqual(self.run_verb("--run").returncode, 0)
        application.both = True
        writer = threading.Thread(target=application.run)
        writer.start()
        client = DynamoClient(self.server.endpoint)
        self.addCleanup(client.close)
        try:
            self.kill_sometimes(client, random.Random(seed))
            done = self.run_verb("--run")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            # Nobody writes customer 000: a wrong item, one that lacks and one that no row stands behind.
            wrong = {**application.new_order("000", "0001"), "status": {"S": "lost"}}
            client.call("PutItem", TableName="Shop-2", Item=wrong)
            application_key = application.new_order("000", "0002")
            client.call("DeleteItem", TableName="Shop-2", Key={name: application_key[name] for name in ("PK", "SK")})
            client.call("PutItem", TableName="Shop-2", Item={**wrong, "SK": {"S": "000#9999"}, "id": {"S": "9999"}})
            done = self.run_verb("--run", "--json")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            report = json.loads(done.stdout)
            self.assertGreaterEqual(report["written"], 2)
            self.assertGreaterEqual(report["deleted"], 1)
            done = self.run_verb("--cut-over")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        finally:
            application.stopped.set()
            writer.join()
        self.assertGreater(application.writes, 100)
        self.assertEqual(in_order(client.scan_all(TableName="Shop-2")), in_order(application.new_items()))


if __name__ == "__main__":
    unittest.main()
