"""Writers that know at every moment what the database must hold if it is killed now.

Each writer has one connection, sends one request at a time, and is alone in its partition. So after a kill its partition holds
either what was acknowledged, or that plus the one request that was in flight, as a whole. What writers share are counters and
accounts: there the sums must come out.
"""

import json
import random
import socket
import time

TABLE = "Crash"
KEYS = 40
COUNTERS = 4
ACCOUNTS = 8
BALANCE = 1_000_000
EXPIRY = "until"  # The attribute of time to live.
EXPIRING = "EXPIRING"

CREATE_TABLE = {
    "TableName": TABLE,
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind}
                             for name, kind in (("pk", "S"), ("sk", "S"), ("gpk", "S"), ("gsk", "N"), ("lsk", "S"))],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "GlobalSecondaryIndexes": [{
        "IndexName": "global",
        "KeySchema": [{"AttributeName": "gpk", "KeyType": "HASH"}, {"AttributeName": "gsk", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "ALL"},
    }],
    "LocalSecondaryIndexes": [{
        "IndexName": "local",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "lsk", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["version"]},
    }],
    "VectorIndexes": [{
        "IndexName": "vectors",
        "VectorAttribute": {"AttributeName": "e"},
        "Dimensions": 3,
        "DistanceFunction": "EUCLIDEAN",
        "SearchSchema": [{"AttributeName": "pk", "SearchSchemaElementType": "HASH"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["version"]},
    }],
}


class Unexpected(Exception):
    """The server answered what it must not."""


class Killed(Exception):
    """The connection ended before the answer was complete."""


class Connection:
    """HTTP reduced to what a load generator needs; http.client takes several times as long."""

    def __init__(self, port):
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        except OSError as error:
            raise Killed from error
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.head = (
            f"Host: 127.0.0.1:{port}\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20250101T000000Z\r\n"
            "Authorization: AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/dynamodb/aws4_request, "
            f"SignedHeaders=host, Signature={'0' * 64}\r\n"
        )

    def call(self, operation, body):
        """(status, answer as text)"""
        data = body.encode()
        request = f"POST / HTTP/1.1\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n{self.head}Content-Length: {len(data)}\r\n\r\n"
        try:
            self.socket.sendall(request.encode() + data)
            return self.read_answer()
        except OSError as error:
            raise Killed from error

    def read_answer(self):
        buffer = b""
        while True:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise Killed
            buffer += chunk
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                continue
            head = buffer[:end].lower()
            length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
            if len(buffer) >= end + 4 + length:
                return int(head[9:12]), buffer[end + 4:].decode()


def text(value):
    return {"S": value}


def number(value):
    return {"N": str(value)}


def vector(chance):
    return {"L": [number(chance.randrange(-9, 10)) for _ in range(3)]}


class Writer:
    """`items` is what was acknowledged, by sort key. `in_flight` maps sort keys to the items (None: gone) that the request under
    way will leave, if it counts. Only plain data, because it travels between processes."""

    def __init__(self, name, seed, round_number):
        self.partition = f"WRITER#{name}"
        self.ledger = f"LEDGER#{round_number}"
        self.seed = seed
        self.items = {}
        self.in_flight = None
        self.sequence = 0
        self.acknowledged = 0
        self.counted = [0] * COUNTERS
        self.counting = None
        self.transfers = set()
        self.transferring = None
        self.expiring = set()
        self.putting_expiring = None
        self.failure = None

    def run(self, port):
        chance = random.Random(self.seed)
        steps = ([self.put] * 4 + [self.update] * 4 + [self.delete] * 2 + [self.transact] * 3 + [self.count] * 2 + [self.transfer] * 3 +
                 [self.insert, self.update_by_statement, self.delete_by_statement, self.execute_transaction, self.put_expiring])
        try:
            connection = Connection(port)
            while True:
                chance.choice(steps)(connection, chance)
        except Killed:
            pass
        except Unexpected as error:
            self.failure = str(error)

    # ---- Items that this writer alone writes -------------------------------------------------------------------------------

    def new_item(self, chance, sort_key):
        self.sequence += 1
        item = {"pk": text(self.partition), "sk": text(sort_key), "version": number(self.sequence),
                "payload": text("x" * chance.choice([10, 100, 300, 3000]))}
        if chance.random() < 0.7:
            item |= {"gpk": text(f"GROUP#{chance.randrange(5)}"), "gsk": number(chance.randrange(1000))}
        if chance.random() < 0.7:
            item["lsk"] = text(f"L#{chance.randrange(1000):04d}")
        if chance.random() < 0.7:
            item["e"] = vector(chance)
        return item

    def some_key(self, chance):
        return f"KEY#{chance.randrange(KEYS):03d}"

    def key(self, sort_key):
        return {"pk": text(self.partition), "sk": text(sort_key)}

    def write(self, connection, operation, body, effect, passes=True):
        """Sends it, and takes over `effect` if it was acknowledged. `passes` says whether its condition holds."""
        if passes:
            self.in_flight = effect
        status, answer = connection.call(operation, json.dumps(body))
        refused = status == 400 and ("ConditionalCheckFailed" in answer or "DuplicateItem" in answer)
        if (status != 200 and not refused) or (status == 200) != passes:
            raise Unexpected(f"{operation} {'should have passed' if passes else 'should have failed'}: {status} {answer}")
        self.in_flight = None
        if passes:
            self.acknowledged += 1
            self.apply(effect)

    def apply(self, effect):
        for sort_key, item in effect.items():
            if item is None:
                self.items.pop(sort_key, None)
            else:
                self.items[sort_key] = item

    def put(self, connection, chance):
        sort_key = self.some_key(chance)
        item = self.new_item(chance, sort_key)
        body = {"TableName": TABLE, "Item": item}
        passes = True
        if chance.random() < 0.3:
            body["ConditionExpression"] = "attribute_not_exists(pk)"
            passes = sort_key not in self.items
        self.write(connection, "PutItem", body, {sort_key: item}, passes)

    def update_of(self, chance, sort_key):
        """(parameters of an update, the item that it leaves): moves, enters or leaves the indexes."""
        self.sequence += 1
        old = self.items.get(sort_key, self.key(sort_key))
        item = {name: value for name, value in old.items() if name != "lsk"}
        item |= {"version": number(self.sequence), "gpk": text(f"GROUP#{chance.randrange(5)}"), "gsk": number(self.sequence),
                 "e": vector(chance)}
        return {
            "TableName": TABLE,
            "Key": self.key(sort_key),
            "UpdateExpression": "SET version = :version, gpk = :gpk, gsk = :version, e = :e REMOVE lsk",
            "ExpressionAttributeValues": {":version": item["version"], ":gpk": item["gpk"], ":e": item["e"]},
        }, item

    def update(self, connection, chance):
        sort_key = self.some_key(chance)
        body, item = self.update_of(chance, sort_key)
        self.write(connection, "UpdateItem", body, {sort_key: item})

    def delete(self, connection, chance):
        sort_key = self.some_key(chance)
        self.write(connection, "DeleteItem", {"TableName": TABLE, "Key": self.key(sort_key)}, {sort_key: None})

    def transact(self, connection, chance):
        put_key, update_key, delete_key, check_key = (f"KEY#{key:03d}" for key in chance.sample(range(KEYS), 4))
        item = self.new_item(chance, put_key)
        update, updated = self.update_of(chance, update_key)
        actions = [
            {"Put": {"TableName": TABLE, "Item": item}},
            {"Update": update},
            {"Delete": {"TableName": TABLE, "Key": self.key(delete_key)}},
        ]
        passes = True
        if chance.random() < 0.3:
            actions.append({"ConditionCheck": {"TableName": TABLE, "Key": self.key(check_key),
                                               "ConditionExpression": "attribute_exists(pk)"}})
            passes = check_key in self.items
        effect = {put_key: item, update_key: updated, delete_key: None}
        self.write(connection, "TransactWriteItems", {"TransactItems": actions}, effect, passes)

    # ---- The same through PartiQL ------------------------------------------------------------------------------------------

    def insert_of(self, item):
        members = ", ".join(f"'{name}': ?" for name in item)
        return {"Statement": f"INSERT INTO {TABLE} VALUE {{{members}}}", "Parameters": list(item.values())}

    def update_statement_of(self, chance, sort_key):
        update, item = self.update_of(chance, sort_key)
        values = update["ExpressionAttributeValues"]
        return {"Statement": f"UPDATE {TABLE} SET version = ?, gpk = ?, gsk = ?, e = ? REMOVE lsk WHERE pk = ? AND sk = '{sort_key}'",
                "Parameters": [values[":version"], values[":gpk"], values[":version"], values[":e"], text(self.partition)]}, item

    def delete_statement_of(self, sort_key):
        return {"Statement": f"DELETE FROM {TABLE} WHERE pk = '{self.partition}' AND sk = ?", "Parameters": [text(sort_key)]}

    def insert(self, connection, chance):
        sort_key = self.some_key(chance)
        item = self.new_item(chance, sort_key)
        self.write(connection, "ExecuteStatement", self.insert_of(item), {sort_key: item}, sort_key not in self.items)

    def update_by_statement(self, connection, chance):
        sort_key = self.some_key(chance)
        statement, item = self.update_statement_of(chance, sort_key)
        self.write(connection, "ExecuteStatement", statement, {sort_key: item}, sort_key in self.items)

    def delete_by_statement(self, connection, chance):
        sort_key = self.some_key(chance)
        self.write(connection, "ExecuteStatement", self.delete_statement_of(sort_key), {sort_key: None})

    def execute_transaction(self, connection, chance):
        insert_key, update_key, delete_key = (f"KEY#{key:03d}" for key in chance.sample(range(KEYS), 3))
        item = self.new_item(chance, insert_key)
        update, updated = self.update_statement_of(chance, update_key)
        statements = [self.insert_of(item), update, self.delete_statement_of(delete_key)]
        passes = insert_key not in self.items and update_key in self.items
        effect = {insert_key: item, update_key: updated, delete_key: None}
        self.write(connection, "ExecuteTransaction", {"TransactStatements": statements}, effect, passes)

    # ---- Items that expire -------------------------------------------------------------------------------------------------

    def put_expiring(self, connection, chance):
        """Its time is over: the next sweep deletes it. Nobody writes it again."""
        self.sequence += 1
        sort_key = f"{self.partition}#{self.sequence}"
        self.putting_expiring = sort_key
        status, answer = connection.call("PutItem", json.dumps({"TableName": TABLE, "Item": {
            "pk": text(EXPIRING), "sk": text(sort_key), EXPIRY: number(int(time.time()) - chance.randrange(2, 1000))}}))
        if status != 200:
            raise Unexpected(f"an expiring item: {status} {answer}")
        self.putting_expiring = None
        self.expiring.add(sort_key)
        self.acknowledged += 1

    # ---- Items that all writers share --------------------------------------------------------------------------------------

    def count(self, connection, chance):
        which = chance.randrange(COUNTERS)
        self.counting = which
        status, answer = connection.call("UpdateItem", json.dumps({
            "TableName": TABLE, "Key": {"pk": text("COUNTER"), "sk": text(str(which))},
            "UpdateExpression": "ADD n :one", "ConditionExpression": "attribute_exists(n)",
            "ExpressionAttributeValues": {":one": number(1)},
        }))
        if status != 200:
            raise Unexpected(f"counting: {status} {answer}")
        self.counting = None
        self.counted[which] += 1
        self.acknowledged += 1

    def transfer(self, connection, chance):
        """Two balances and a line in the ledger, together. The ledger says afterwards which transfers count."""
        self.sequence += 1
        giver, taker = chance.sample(range(ACCOUNTS), 2)
        amount = chance.randrange(1, 100)
        line = f"{self.partition}#{self.sequence}"
        self.transferring = line
        status, answer = connection.call("TransactWriteItems", json.dumps({"TransactItems": [
            {"Update": {"TableName": TABLE, "Key": {"pk": text("ACCOUNT"), "sk": text(str(giver))},
                        "UpdateExpression": "SET balance = balance - :amount", "ConditionExpression": "balance >= :amount",
                        "ExpressionAttributeValues": {":amount": number(amount)}}},
            {"Update": {"TableName": TABLE, "Key": {"pk": text("ACCOUNT"), "sk": text(str(taker))},
                        "UpdateExpression": "SET balance = balance + :amount",
                        "ExpressionAttributeValues": {":amount": number(amount)}}},
            {"Put": {"TableName": TABLE, "Item": {
                "pk": text(self.ledger), "sk": text(line), "giver": number(giver), "taker": number(taker),
                "amount": number(amount), "lsk": text(f"A#{giver}")}}},
        ]}))
        if status == 200:
            self.transfers.add(line)
            self.acknowledged += 1
        elif status != 400 or "TransactionCanceled" not in answer:
            raise Unexpected(f"transfer: {status} {answer}")
        self.transferring = None
