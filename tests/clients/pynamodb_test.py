"""PynamoDB: models, indexes, pages, updates with conditions, batches, transactions and versions."""

import os
import unittest

from pynamodb.attributes import ListAttribute, MapAttribute, NumberAttribute, UnicodeAttribute, UnicodeSetAttribute, VersionAttribute
from pynamodb.connection import Connection
from pynamodb.exceptions import DeleteError, PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite

ENDPOINT = os.environ["DYNAMODB_ENDPOINT"]


class ByYear(GlobalSecondaryIndex):
    class Meta:
        projection = AllProjection()
        billing_mode = "PAY_PER_REQUEST"

    year = NumberAttribute(hash_key=True)
    title = UnicodeAttribute(range_key=True)


class Song(Model):
    class Meta:
        table_name = f"pynamodb-{os.getpid()}"
        host = ENDPOINT
        region = "us-east-1"
        aws_access_key_id = "test"
        aws_secret_access_key = "test"
        billing_mode = "PAY_PER_REQUEST"

    artist = UnicodeAttribute(hash_key=True)
    title = UnicodeAttribute(range_key=True)
    year = NumberAttribute(null=True)
    plays = NumberAttribute(default=0)
    moods = UnicodeSetAttribute(null=True)
    notes = ListAttribute(null=True)
    place = MapAttribute(null=True)
    by_year = ByYear()


class Counter(Model):
    class Meta(Song.Meta):
        table_name = f"pynamodb-counter-{os.getpid()}"

    name = UnicodeAttribute(hash_key=True)
    version = VersionAttribute()


class PynamoDBTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for model in (Song, Counter):
            model.create_table(wait=True)

    @classmethod
    def tearDownClass(cls):
        for model in (Song, Counter):
            model.delete_table()

    def test_saves_and_reads(self):
        Song("a", "one", year=1999, moods={"x", "b"}, notes=[1, "two"], place={"city": "Oslo"}).save()
        song = Song.get("a", "one")
        self.assertEqual((song.year, song.moods, list(song.notes), song.place["city"]), (1999, {"x", "b"}, [1, "two"], "Oslo"))
        with self.assertRaises(PutError):
            Song("a", "one").save(Song.artist.does_not_exist())
        with self.assertRaises(DeleteError):
            song.delete(Song.year == 5)
        song.delete()
        with self.assertRaises(Song.DoesNotExist):
            Song.get("a", "one")

    def test_updates(self):
        song = Song("u", "one", plays=1, moods={"a"}, notes=[1])
        song.save()
        song.update([Song.plays.add(4), Song.moods.add({"b"}), Song.notes.set(Song.notes.append([2]))], condition=Song.plays < 3)
        self.assertEqual((song.plays, song.moods, list(song.notes)), (5, {"a", "b"}, [1, 2]))
        with self.assertRaises(UpdateError):
            song.update([Song.plays.set(0)], condition=Song.plays < 3)

    def test_reads_pages_and_indexes(self):
        with Song.batch_write() as batch:
            for i in range(40):
                batch.save(Song("p", f"t{i:02}", year=2000 + i % 2))
        self.assertEqual([song.title for song in Song.query("p", page_size=7)], [f"t{i:02}" for i in range(40)])
        self.assertEqual(len(list(Song.query("p", Song.title.between("t10", "t19"), Song.year == 2001))), 5)
        self.assertEqual(len(list(Song.by_year.query(2001, Song.title.startswith("t1")))), 5)
        self.assertEqual(Song.count("p"), 40)
        first = Song.query("p", limit=5)
        self.assertEqual(len(list(first)), 5)
        self.assertEqual(len(list(Song.query("p", last_evaluated_key=first.last_evaluated_key))), 35)
        self.assertEqual(len(list(Song.batch_get([("p", "t01"), ("p", "t02"), ("p", "none")]))), 2)
        self.assertEqual(sum(1 for _ in Song.scan(Song.artist == "p", page_size=9)), 40)

    def test_transactions_and_versions(self):
        connection = Connection(region="us-east-1", host=ENDPOINT)
        with TransactWrite(connection=connection) as transaction:
            transaction.save(Song("t", "one"), condition=Song.artist.does_not_exist())
            transaction.save(Song("t", "two"))
        with self.assertRaises(TransactWriteError), TransactWrite(connection=connection) as transaction:
            transaction.save(Song("t", "one"), condition=Song.artist.does_not_exist())
        with TransactGet(connection=connection) as transaction:
            song = transaction.get(Song, "t", "two")
        self.assertEqual(song.get().title, "two")
        counter = Counter("c")
        counter.save()
        late = Counter.get("c")
        counter.save()
        self.assertEqual(Counter.get("c").version, 2)
        with self.assertRaises(PutError):
            late.save()


if __name__ == "__main__":
    unittest.main()
