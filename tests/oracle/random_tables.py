"""Random requests that make, change, describe and delete tables."""

NAMES = ["Ta1", "Ta2", "T.b-_3", "Ta", "bad!name", ""]
ATTRIBUTES = ["p", "s", "x", "y"]


class Tables:
    def __init__(self, random):
        self.random = random

    def chance(self, probability):
        return self.random.random() < probability

    def name(self):
        return self.random.choice(NAMES[:3] if self.chance(0.95) else NAMES)

    def schema(self, hash_name=None):
        random = self.random
        names = random.sample(ATTRIBUTES, 2)
        if hash_name:
            names[0] = hash_name
        schema = [{"AttributeName": names[0], "KeyType": "HASH"}]
        if self.chance(0.6):
            schema.append({"AttributeName": names[1], "KeyType": "RANGE" if self.chance(0.97) else "HASH"})
        return schema

    def projection(self):
        kind = self.random.choice(["ALL", "KEYS_ONLY", "INCLUDE"])
        return {"ProjectionType": kind} | ({"NonKeyAttributes": ["n1"]} if kind == "INCLUDE" and self.chance(0.95) or self.chance(0.03) else {})

    def throughput(self):
        return {"ReadCapacityUnits": self.random.choice([1, 5, 0]) if self.chance(0.2) else 1, "WriteCapacityUnits": 1}

    def CreateTable(self):
        random = self.random
        schema = self.schema()
        request = {"TableName": self.name(), "KeySchema": schema}
        on_demand = self.chance(0.6)
        if on_demand:
            request["BillingMode"] = "PAY_PER_REQUEST"
        if not on_demand and self.chance(0.95) or self.chance(0.03):
            request["ProvisionedThroughput"] = self.throughput()
        used = {element["AttributeName"] for element in schema}
        if self.chance(0.4):
            index = {"IndexName": random.choice(["Ix1", "Ix2"]), "KeySchema": self.schema(), "Projection": self.projection()}
            if not on_demand:
                index["ProvisionedThroughput"] = self.throughput()
            request["GlobalSecondaryIndexes"] = [index]
            used |= {element["AttributeName"] for element in index["KeySchema"]}
        if self.chance(0.3) and len(schema) == 2 or self.chance(0.03):
            keys = self.schema(schema[0]["AttributeName"] if self.chance(0.9) else None)
            request["LocalSecondaryIndexes"] = [{"IndexName": random.choice(["Ix1", "Lx1"]), "KeySchema": keys, "Projection": self.projection()}]
            used |= {element["AttributeName"] for element in keys}
        if self.chance(0.03):
            used ^= {random.choice(ATTRIBUTES)}
        request["AttributeDefinitions"] = [{"AttributeName": name, "AttributeType": random.choice("SNB")} for name in sorted(used)]
        if self.chance(0.2):
            request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": random.choice(["NEW_IMAGE", "KEYS_ONLY"])} if self.chance(0.8) \
                else {"StreamEnabled": self.chance(0.5)}
        if self.chance(0.1):
            request["DeletionProtectionEnabled"] = self.chance(0.5)
        return request

    def DeleteTable(self):
        return {"TableName": self.name()}

    DescribeTable = DescribeTimeToLive = DeleteTable

    def ListTables(self):
        return {}

    def UpdateTable(self):
        random = self.random
        request = {"TableName": self.name()}
        if self.chance(0.3):
            request["BillingMode"] = random.choice(["PROVISIONED", "PAY_PER_REQUEST"])
        if self.chance(0.3):
            request["ProvisionedThroughput"] = self.throughput()
        if self.chance(0.2):
            request["DeletionProtectionEnabled"] = self.chance(0.3)
        return request

    def UpdateTimeToLive(self):
        return {"TableName": self.name(), "TimeToLiveSpecification": {"Enabled": self.chance(0.6), "AttributeName": self.random.choice(["ttl", "e"])}}

    OPERATIONS = {"CreateTable": 8, "DeleteTable": 3, "DescribeTable": 3, "ListTables": 1, "UpdateTable": 2, "UpdateTimeToLive": 1, "DescribeTimeToLive": 1}

    def next(self):
        operation = self.random.choices(list(self.OPERATIONS), list(self.OPERATIONS.values()))[0]
        return operation, getattr(self, operation)()
