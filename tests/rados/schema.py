"""Changes of a table under load. While each is under way, the gateway that leads sleeps for longer than its lease, and wakes up.

What it would still write then belongs to an earlier version of the table: entries of an index that is gone or not yet filled by it, no stream
record, no old image. So it would show in the end, when indexes, the stream and a restored table are compared with the table.
"""

import threading
import time

from lists import INDEX, TABLE, values_in

EXPIRED = [f"expired-{number}" for number in range(3)]
OTHER_INDEX = "ByLastAgain"
ALREADY = ["ResourceInUse", "ValidationException"]  # run() looks at what came of it.


class SchemaChanges:
    def __init__(self, lists, faults):
        self.lists, self.faults = lists, faults

    def during_a_pause(self, change):
        """The change begins while one gateway leads, and ends while another does."""
        errors = []

        def work():
            try:
                change()
            except Exception as error:  # pylint: disable=broad-except
                errors.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(self.faults.source.uniform(0, 0.05))
        self.faults.pause_leader()
        thread.join(timeout=60)
        assert not thread.is_alive() and not errors, f"{change.__name__}: {errors or 'it hangs'}"
        table = self.lists.wait_for_indexes()
        time.sleep(0.5)
        return table

    # ---- The changes

    def add_index(self):
        self.lists.add_index()

    def drop_index(self):
        self.lists.change("UpdateTable", ALREADY, TableName=TABLE, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": INDEX}}])

    def add_another_index(self):
        self.lists.add_index(OTHER_INDEX)

    def enable_stream(self):
        self.lists.change("UpdateTable", ALREADY, TableName=TABLE, StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})

    def enable_time_to_live(self):
        for name in EXPIRED:
            self.lists.ask("PutItem", TableName=TABLE, Item={"pk": {"S": name}, "l": {"L": []}, "n": {"N": "0"}, "z": {"S": name},
                                                              "until": {"N": str(int(time.time()) - 3600)}})
        self.lists.change("UpdateTimeToLive", ALREADY, TableName=TABLE, TimeToLiveSpecification={"Enabled": True, "AttributeName": "until"})

    def enable_recovery(self):
        self.lists.change("UpdateContinuousBackups", ALREADY, TableName=TABLE, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def run(self):
        table = self.during_a_pause(self.add_index)
        assert [index["IndexName"] for index in table["GlobalSecondaryIndexes"]] == [INDEX], table
        self.during_a_pause(self.enable_stream)
        table = self.during_a_pause(self.drop_index)
        assert not table.get("GlobalSecondaryIndexes"), table
        table = self.during_a_pause(self.add_another_index)
        assert [index["IndexName"] for index in table["GlobalSecondaryIndexes"]] == [OTHER_INDEX], table
        assert table["StreamSpecification"]["StreamEnabled"], table
        self.during_a_pause(self.enable_recovery)
        self.during_a_pause(self.enable_time_to_live)

    # ---- The verdict

    def problems(self):
        """After the clients have stopped."""
        state = self.lists.ask("DescribeTimeToLive", TableName=TABLE)["TimeToLiveDescription"]
        assert state == {"TimeToLiveStatus": "ENABLED", "AttributeName": "until"}, state
        # The next leader looks for expired items at once.
        self.faults.kill_leader()
        deadline = time.monotonic() + 60
        while any(item["pk"]["S"] in EXPIRED for item in self.items(TABLE)):
            assert time.monotonic() < deadline, "expired items stay"
            time.sleep(0.2)
        return self.lists.verdict() + self.lists.stream_problems(since_start=False) + self.restored_problems()

    def items(self, table):
        return sorted(self.lists.ask("Scan", TableName=table, ConsistentRead=True)["Items"], key=lambda item: item["pk"]["S"])

    def restored_problems(self):
        recovery = self.lists.ask("DescribeContinuousBackups", TableName=TABLE)["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        assert recovery["PointInTimeRecoveryStatus"] == "ENABLED", recovery
        # To a second that is over.
        time.sleep(2)
        self.lists.change("RestoreTableToPointInTime", ["TableAlreadyExists", "ResourceInUse"], SourceTableName=TABLE, TargetTableName="Restored", RestoreDateTime=int(time.time()) - 1)
        deadline = time.monotonic() + 60
        while self.lists.ask("DescribeTable", TableName="Restored")["Table"]["TableStatus"] != "ACTIVE":
            assert time.monotonic() < deadline, "the table is not restored"
            time.sleep(0.2)
        restored, base = self.items("Restored"), self.items(TABLE)
        if restored == base and base:
            return []
        return [f"the restored table has the lists {[len(values_in(item)) for item in restored]}, the table {[len(values_in(item)) for item in base]}"]
