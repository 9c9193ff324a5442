"""Stands between clients and gateways and lies, to see whether the checker notices."""

import copy
import random
import threading
import time

# As one wrong line of code would do it.
LIES = ["forget a write", "repeat a write", "read the past", "ignore a condition", "split a transaction", "ignore a token", "refuse what was done"]
OFTEN = 0.2


class Liar:
    def __init__(self, lie, seed):
        self.lie, self.source, self.lies = lie, random.Random(seed), 0
        self.past = {}
        self.lock = threading.Lock()

    def lies_now(self, lie):
        with self.lock:
            if self.lie != lie or self.source.random() > OFTEN:
                return False
            self.lies += 1
            return True

    def answer(self, post, operation, body):
        if operation == "GetItem":
            return self.answer_read(post, body)
        if operation in ("UpdateItem", "PutItem"):
            return self.answer_write(post, operation, body)
        if operation == "TransactWriteItems":
            return self.answer_transaction(post, body)
        return post(operation, body)

    def answer_read(self, post, body):
        item = body["Key"]["pk"]["S"]
        status, answer = post("GetItem", body)
        if status == 200 and answer != self.past.setdefault(item, answer) and self.lies_now("read the past"):
            return status, self.past[item]
        return status, answer

    def answer_write(self, post, operation, body):
        conditional = "ConditionExpression" in body
        if conditional and self.lies_now("forget a write"):
            return 200, {}
        status, answer = post(operation, body)
        if status == 400 and conditional and self.lies_now("ignore a condition"):
            return post(operation, body | {"ConditionExpression": "z <> :seen"})
        if status == 200 and not conditional and self.lies_now("repeat a write"):
            post(operation, body)
        if status == 200 and conditional and self.lies_now("refuse what was done"):
            key = body.get("Key") or {"pk": body["Item"]["pk"]}
            _, now = post("GetItem", {"TableName": body["TableName"], "Key": key, "ConsistentRead": True})
            return 400, {"__type": "ConditionalCheckFailedException", "Item": now["Item"]}
        return status, answer

    def answer_transaction(self, post, body):
        if self.lies_now("split a transaction"):
            for part in body["TransactItems"]:
                for request in [value for name, value in part.items() if name == "Update"]:
                    post("UpdateItem", request)
                    time.sleep(0.05)  # Long enough for somebody to look.
            return 200, {}
        status, answer = post("TransactWriteItems", body)
        unconditional = all("ConditionExpression" not in request for part in body["TransactItems"] for name, request in part.items() if name == "Update")
        if status == 200 and unconditional and self.lies_now("ignore a token"):
            status, answer = post("TransactWriteItems", body | {"ClientRequestToken": body["ClientRequestToken"][::-1]})
            return (status, answer) if status == 200 else (200, {})
        return status, answer
