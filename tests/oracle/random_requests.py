"""Random requests over a few fixed tables, legal for the most part."""

from expressions import BAD_NUMBERS, BYTES, NAMES, TEXTS, Expressions, typed, value
from random_statements import Statements
from tables import TABLES

COMPARISONS = ["EQ", "NE", "LE", "LT", "GE", "GT", "NOT_NULL", "NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN", "BETWEEN"]


class Requests:
    def __init__(self, random):
        self.random = random
        self.statements = Statements(random)

    def chance(self, probability):
        return self.random.random() < probability

    # ---- Parts ---------------------------------------------------------------------------------

    def key_value(self, kind):
        return typed(self.random, kind) if self.chance(0.97) else value(self.random)

    def key(self, table):
        keys = TABLES[table][0]
        found = {name: self.key_value(kind) for name, kind in filter(None, keys)}
        if self.chance(0.015):
            found.pop(self.random.choice(list(found)))
        if self.chance(0.015):
            found["extra"] = {"S": "x"}
        return found

    def item(self, table):
        random = self.random
        item = {random.choice(NAMES): value(random) for _ in range(random.randrange(6))}
        for index_keys, _, _ in TABLES[table][1].values():
            for name, kind in filter(None, index_keys):
                if self.chance(0.6):
                    item[name] = typed(random, kind)
                elif self.chance(0.8):
                    item.pop(name, None)
        return item | self.key(table)

    def table(self):
        return self.random.choice(list(TABLES)) if self.chance(0.995) else "Missing"

    def expressions(self, table):
        return Expressions(self.random, [key[0] for key in TABLES[table][0] if key])

    def common(self, request, *members):
        """Adds optional members."""
        random = self.random
        choices = {"ReturnConsumedCapacity": ["TOTAL", "INDEXES", "NONE"], "ReturnItemCollectionMetrics": ["SIZE", "NONE"]}
        for member in members:
            if self.chance(0.25):
                request[member] = random.choice(choices[member])
        return request

    def legacy_condition(self):
        random = self.random
        operator = random.choice(COMPARISONS)
        count = {"NOT_NULL": 0, "NULL": 0, "BETWEEN": 2, "IN": random.choice([1, 2])}.get(operator, 1)
        if self.chance(0.04):
            count = random.choice([0, 1, 2, 3])
        pool = [{"S": random.choice(TEXTS)}, {"N": "1"}, {"B": "AA=="}] if operator in ("LE", "LT", "GE", "GT", "BETWEEN", "IN", "BEGINS_WITH") else None
        if pool and self.chance(0.9):
            kind = random.choice(pool)
            values = [kind] * count
        else:
            values = [value(random) for _ in range(count)]
        condition = {"ComparisonOperator": operator}
        if values or self.chance(0.2):
            condition["AttributeValueList"] = values
        return condition

    def expected(self):
        random = self.random
        found = {}
        for _ in range(random.choice([1, 1, 2])):
            roll = random.random()
            name = random.choice(NAMES + ["p"])
            if roll < 0.25:
                found[name] = {"Exists": False}
            elif roll < 0.5:
                found[name] = {"Value": value(random)}
            elif roll < 0.55:
                found[name] = {"Exists": True, "Value": value(random)}
            else:
                found[name] = self.legacy_condition()
        return found

    # ---- Operations ------------------------------------------------------------------------------

    def condition_of(self, request, table, legacy=True):
        expressions = self.expressions(table)
        if self.chance(0.35):
            request["ConditionExpression"] = expressions.broken(expressions.condition())
            expressions.add_to(request)
        elif legacy and self.chance(0.2):
            request["Expected"] = self.expected()
            if self.chance(0.3):
                request["ConditionalOperator"] = self.random.choice(["AND", "OR"])
        if self.chance(0.15):
            request["ReturnValuesOnConditionCheckFailure"] = self.random.choice(["ALL_OLD", "NONE"])
        return request

    def PutItem(self):
        table = self.table()
        request = {"TableName": table, "Item": self.item(table if table in TABLES else "Plain")}
        if self.chance(0.4):
            request["ReturnValues"] = self.random.choice(["ALL_OLD", "NONE"] if self.chance(0.97) else ["ALL_NEW", "UPDATED_OLD"])
        self.condition_of(request, table if table in TABLES else "Plain")
        return self.common(request, "ReturnConsumedCapacity", "ReturnItemCollectionMetrics")

    def GetItem(self):
        table = self.table()
        known = table if table in TABLES else "Plain"
        request = {"TableName": table, "Key": self.key(known)}
        if self.chance(0.3):
            request["ConsistentRead"] = self.chance(0.5)
        expressions = self.expressions(known)
        if self.chance(0.3):
            request["ProjectionExpression"] = expressions.broken(expressions.projection())
            expressions.add_to(request)
        elif self.chance(0.15):
            request["AttributesToGet"] = self.random.sample(NAMES, 2)
        return self.common(request, "ReturnConsumedCapacity")

    def DeleteItem(self):
        table = self.table()
        known = table if table in TABLES else "Plain"
        request = {"TableName": table, "Key": self.key(known)}
        if self.chance(0.4):
            request["ReturnValues"] = self.random.choice(["ALL_OLD", "NONE"])
        self.condition_of(request, known)
        return self.common(request, "ReturnConsumedCapacity", "ReturnItemCollectionMetrics")

    def UpdateItem(self):
        random = self.random
        table = self.table()
        known = table if table in TABLES else "Plain"
        request = {"TableName": table, "Key": self.key(known)}
        if self.chance(0.5):
            request["ReturnValues"] = random.choice(["ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "NONE"])
        if self.chance(0.8):
            expressions = self.expressions(known)
            request["UpdateExpression"] = expressions.broken(expressions.update())
            if self.chance(0.3):
                request["ConditionExpression"] = expressions.broken(expressions.condition())
            expressions.add_to(request)
        elif self.chance(0.9):
            request["AttributeUpdates"] = {name: self.legacy_update() for name in random.sample(NAMES, random.choice([1, 1, 2]))}
            if self.chance(0.2):
                request["Expected"] = self.expected()
        return self.common(request, "ReturnConsumedCapacity", "ReturnItemCollectionMetrics")

    def legacy_update(self):
        random = self.random
        action = random.choice(["PUT", "ADD", "DELETE", None])
        update = {"Action": action} if action else {}
        if action != "DELETE" or self.chance(0.5):
            update["Value"] = random.choice([{"N": "1"}, {"SS": ["a"]}, {"NS": ["1"]}, {"L": [{"S": "a"}]}]) if action == "ADD" and self.chance(0.8) else value(random)
        return update

    def page_of(self, request, table, operation):
        random = self.random
        expressions = self.expressions(table)
        indexes = TABLES[table][1]
        keys = TABLES[table][0]
        if indexes and self.chance(0.5):
            name = random.choice(list(indexes))
            request["IndexName"] = name
            keys = indexes[name][0]
        if operation == "Query":
            if self.chance(0.85):
                request["KeyConditionExpression"] = expressions.broken(expressions.key_condition(*keys))
            else:
                request["KeyConditions"] = {keys[0][0]: {"ComparisonOperator": "EQ", "AttributeValueList": [self.key_value(keys[0][1])]}}
                if keys[1] and self.chance(0.5):
                    operator = random.choice(["EQ", "LE", "LT", "GE", "GT", "BEGINS_WITH", "BETWEEN"])
                    request["KeyConditions"][keys[1][0]] = {
                        "ComparisonOperator": operator, "AttributeValueList": [self.key_value(keys[1][1]) for _ in range(2 if operator == "BETWEEN" else 1)]}
            if self.chance(0.3):
                request["ScanIndexForward"] = self.chance(0.5)
        if self.chance(0.3):
            request["FilterExpression"] = expressions.broken(expressions.condition())
        elif self.chance(0.1) and "KeyConditionExpression" not in request:
            request["QueryFilter" if operation == "Query" else "ScanFilter"] = {random.choice(NAMES): self.legacy_condition() for _ in range(2)}
        if self.chance(0.25):
            request["ProjectionExpression"] = expressions.broken(expressions.projection())
        if self.chance(0.2):
            request["ConsistentRead"] = self.chance(0.7)
        if self.chance(0.2):
            request["Select"] = random.choice(["ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT"])
        if self.chance(0.2):
            request["Limit"] = random.choice([1, 2, 3, 100] if self.chance(0.95) else [0, -1])
        expressions.add_to(request)
        return self.common(request, "ReturnConsumedCapacity")

    def Query(self):
        table = self.random.choice(list(TABLES))
        return self.page_of({"TableName": table}, table, "Query")

    def Scan(self):
        table = self.random.choice(list(TABLES))
        request = self.page_of({"TableName": table}, table, "Scan")
        if self.chance(0.1):
            request |= {"Segment": self.random.choice([0, 1, 2]), "TotalSegments": self.random.choice([1, 2, 3])}
        return request

    def BatchGetItem(self):
        items = {}
        for table in self.random.sample(list(TABLES), self.random.choice([1, 1, 2])):
            keys = [self.key(table) for _ in range(self.random.choice([1, 2, 3]))]
            items[table] = {"Keys": keys}
            expressions = self.expressions(table)
            if self.chance(0.25):
                items[table]["ProjectionExpression"] = expressions.broken(expressions.projection())
                expressions.add_to(items[table])
                items[table].pop("ExpressionAttributeValues", None)
            if self.chance(0.2):
                items[table]["ConsistentRead"] = True
        return self.common({"RequestItems": items}, "ReturnConsumedCapacity")

    def BatchWriteItem(self):
        items = {}
        for table in self.random.sample(list(TABLES), self.random.choice([1, 1, 2])):
            items[table] = [{"PutRequest": {"Item": self.item(table)}} if self.chance(0.6) else {"DeleteRequest": {"Key": self.key(table)}}
                            for _ in range(self.random.choice([1, 2, 3]))]
        return self.common({"RequestItems": items}, "ReturnConsumedCapacity", "ReturnItemCollectionMetrics")

    def TransactGetItems(self):
        gets = []
        for _ in range(self.random.choice([1, 2, 3])):
            table = self.random.choice(list(TABLES))
            get = {"TableName": table, "Key": self.key(table)}
            expressions = self.expressions(table)
            if self.chance(0.3):
                get["ProjectionExpression"] = expressions.broken(expressions.projection())
                expressions.add_to(get)
                get.pop("ExpressionAttributeValues", None)
            gets.append({"Get": get})
        return self.common({"TransactItems": gets}, "ReturnConsumedCapacity")

    def TransactWriteItems(self):
        writes = []
        for _ in range(self.random.choice([1, 2, 3])):
            table = self.random.choice(list(TABLES))
            kind = self.random.choice(["Put", "Update", "Delete", "ConditionCheck"])
            expressions = self.expressions(table)
            write = {"TableName": table}
            write |= {"Item": self.item(table)} if kind == "Put" else {"Key": self.key(table)}
            if kind == "Update":
                write["UpdateExpression"] = expressions.broken(expressions.update())
            if kind == "ConditionCheck" or self.chance(0.3):
                write["ConditionExpression"] = expressions.broken(expressions.condition())
            if self.chance(0.2):
                write["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
            writes.append({kind: expressions.add_to(write)})
        return self.common({"TransactItems": writes}, "ReturnConsumedCapacity")

    # ---- Faults ----------------------------------------------------------------------------------

    def mutate(self, node):
        """Changes one place of a request."""
        random = self.random
        while True:
            if isinstance(node, dict) and node:
                name = random.choice(list(node))
                if isinstance(node[name], (dict, list)) and node[name] and self.chance(0.75):
                    node = node[name]
                    continue
                roll = random.random()
                if roll < 0.4:
                    del node[name]
                elif roll < 0.8:
                    node[name] = self.odd_value()
                else:
                    node[random.choice(NAMES)] = self.odd_value()
                return
            if isinstance(node, list) and node:
                index = random.randrange(len(node))
                if isinstance(node[index], (dict, list)) and node[index] and self.chance(0.75):
                    node = node[index]
                    continue
                if self.chance(0.3):
                    node.append(node[index])
                elif self.chance(0.5):
                    del node[index]
                else:
                    node[index] = self.odd_value()
                return
            return

    def odd_value(self):
        return self.random.choice([None, "", "x", 0, -1, 1.5, True, [], {}, {"S": "a"}, {"N": "1"}, {"N": self.random.choice(BAD_NUMBERS)}, {"B": BYTES[0]},
                                   {"SS": ["a", "a"]}, {"S": "a", "N": "1"}, {"NULL": False}, ["a"], "ALL_OLD", "TOTAL", {"M": {"": {"S": "x"}}}])

    OPERATIONS = {"PutItem": 12, "UpdateItem": 16, "DeleteItem": 4, "GetItem": 6, "Query": 12, "Scan": 6, "BatchGetItem": 2, "BatchWriteItem": 4,
                  "TransactGetItems": 2, "TransactWriteItems": 6, "ExecuteStatement": 8, "BatchExecuteStatement": 1, "ExecuteTransaction": 1}

    def next(self):
        operation = self.random.choices(list(self.OPERATIONS), list(self.OPERATIONS.values()))[0]
        request = getattr(self if hasattr(self, operation) else self.statements, operation)()
        if self.chance(0.12):
            self.mutate(request)
        return operation, request
