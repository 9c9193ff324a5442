"""A consumer of the table's stream that lives through kills: it goes on with its iterators after each restart, as a real one
would, and replays what it reads."""


class Consumer:
    def __init__(self, arn):
        self.arn = arn
        self.iterators = {}  # By shard; None at its end.
        self.items = {}      # What the records, one after the other, make of nothing.
        self.numbers = set()
        self.by_service = set()  # Keys of items that time to live has deleted.
        self.record_count = 0

    def read_all(self, client):
        """Reads until there is no more. The problems found."""
        problems = []
        while self.open_shards(client) or any([self.read_shard(client, shard, problems) for shard in list(self.iterators)]):
            pass
        return problems

    def open_shards(self, client):
        """Children only when their parent has been read to its end. True if there was a new one."""
        found = False
        shards = self.describe(client)
        for shard in shards:
            parent = shard.get("ParentShardId")
            parent_open = parent in {other["ShardId"] for other in shards} and self.iterators.get(parent, "") is not None
            if shard["ShardId"] in self.iterators or parent_open:
                continue
            answer = client.call("GetShardIterator", service="DynamoDBStreams_20120810", StreamArn=self.arn,
                                 ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
            self.iterators[shard["ShardId"]] = answer["ShardIterator"]
            found = True
        return found

    def describe(self, client):
        shards = []
        request = {"StreamArn": self.arn}
        while True:
            page = client.call("DescribeStream", service="DynamoDBStreams_20120810", **request)["StreamDescription"]
            shards += page["Shards"]
            if "LastEvaluatedShardId" not in page:
                return shards
            request["ExclusiveStartShardId"] = page["LastEvaluatedShardId"]

    def read_shard(self, client, shard, problems):
        """One page. True if there may be more."""
        if self.iterators[shard] is None:
            return False
        page = client.call("GetRecords", service="DynamoDBStreams_20120810", ShardIterator=self.iterators[shard])
        self.iterators[shard] = page.get("NextShardIterator")
        for record in page["Records"]:
            problems += self.take(record)
        return bool(page["Records"]) or self.iterators[shard] is None

    def take(self, record):
        change = record["dynamodb"]
        key = (change["Keys"]["pk"]["S"], change["Keys"]["sk"]["S"])
        problems = []
        if change["SequenceNumber"] in self.numbers:
            problems.append(f"stream: record {change['SequenceNumber']} came twice")
        self.numbers.add(change["SequenceNumber"])
        if self.items.get(key) != change.get("OldImage"):
            problems.append(f"stream, {key}: a record's old image is not what the records before it left")
        if "NewImage" in change:
            self.items[key] = change["NewImage"]
        else:
            self.items.pop(key, None)
        if record.get("userIdentity", {}).get("Type") == "Service":
            self.by_service.add(key)
        self.record_count += 1
        return problems
