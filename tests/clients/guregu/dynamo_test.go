// guregu/dynamo: tables made from structs, pages, updates with conditions, batches and transactions.
package clients

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2"
)

type reading struct {
	Sensor string   `dynamo:"sensor,hash"`
	At     int      `dynamo:"at,range" index:"by-place,range"`
	Place  string   `dynamo:"place" index:"by-place,hash"`
	Value  float64  `dynamo:"value"`
	Flags  []string `dynamo:"flags,set,omitempty"`
}

func open(t *testing.T) (dynamo.Table, *dynamo.DB) {
	t.Helper()
	db := dynamo.NewFromIface(dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(os.Getenv("DYNAMODB_ENDPOINT")),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
	}))
	ctx := context.Background()
	name := fmt.Sprintf("guregu-%d-%s", os.Getpid(), t.Name())
	if err := db.CreateTable(name, reading{}).OnDemand(true).Wait(ctx); err != nil {
		t.Fatal(err)
	}
	table := db.Table(name)
	t.Cleanup(func() { table.DeleteTable().Run(ctx) })
	return table, db
}

func TestItems(t *testing.T) {
	table, _ := open(t)
	ctx := context.Background()
	want := reading{Sensor: "a", At: 1, Place: "roof", Value: 1.5, Flags: []string{"x", "y"}}
	if err := table.Put(want).If("attribute_not_exists('sensor')").Run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := table.Put(want).If("attribute_not_exists('sensor')").Run(ctx); !dynamo.IsCondCheckFailed(err) {
		t.Fatalf("a second put: %v", err)
	}
	var got reading
	if err := table.Update("sensor", "a").Range("at", 1).Add("value", 2).AddStringsToSet("flags", "z").If("'place' = ?", "roof").Value(ctx, &got); err != nil {
		t.Fatal(err)
	}
	if got.Value != 3.5 || len(got.Flags) != 3 {
		t.Fatalf("updated to %+v", got)
	}
	if err := table.Delete("sensor", "a").Range("at", 1).OldValue(ctx, &got); err != nil || got.Value != 3.5 {
		t.Fatalf("deleted %+v: %v", got, err)
	}
	if err := table.Get("sensor", "a").Range("at", dynamo.Equal, 1).One(ctx, &got); err != dynamo.ErrNotFound {
		t.Fatalf("after the delete: %v", err)
	}
}

func TestPages(t *testing.T) {
	table, _ := open(t)
	ctx := context.Background()
	var items []any
	for i := range 60 {
		items = append(items, reading{Sensor: "p", At: i, Place: []string{"roof", "cellar"}[i%2], Value: float64(i)})
	}
	if wrote, err := table.Batch().Write().Put(items...).Run(ctx); err != nil || wrote != 60 {
		t.Fatalf("%d written: %v", wrote, err)
	}
	var found []reading
	if err := table.Get("sensor", "p").Range("at", dynamo.Between, 10, 39).SearchLimit(7).All(ctx, &found); err != nil || len(found) != 7 {
		t.Fatalf("%d with a limit: %v", len(found), err)
	}
	var all []reading
	pages := table.Get("sensor", "p").Range("at", dynamo.Between, 10, 39).Order(dynamo.Descending).Iter()
	var one reading
	for pages.Next(ctx, &one) {
		all = append(all, one)
	}
	if pages.Err() != nil || len(all) != 30 || all[0].At != 39 {
		t.Fatalf("%d read: %v", len(all), pages.Err())
	}
	found = nil
	if err := table.Get("place", "cellar").Index("by-place").Filter("'value' < ?", 11).All(ctx, &found); err != nil || len(found) != 5 {
		t.Fatalf("%d by place: %v", len(found), err)
	}
	found = nil
	if err := table.Scan().Filter("'place' = ?", "roof").All(ctx, &found); err != nil || len(found) != 30 {
		t.Fatalf("%d scanned: %v", len(found), err)
	}
	keys := []dynamo.Keyed{dynamo.Keys{"p", 1}, dynamo.Keys{"p", 2}, dynamo.Keys{"p", 999}}
	found = nil
	if err := table.Batch("sensor", "at").Get(keys...).All(ctx, &found); err != nil || len(found) != 2 {
		t.Fatalf("%d in a batch: %v", len(found), err)
	}
}

func TestTransactions(t *testing.T) {
	table, db := open(t)
	ctx := context.Background()
	put := func(at int) *dynamo.Put {
		return table.Put(reading{Sensor: "t", At: at, Place: "roof"}).If("attribute_not_exists('sensor')")
	}
	if err := db.WriteTx().Put(put(1)).Put(put(2)).Run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := db.WriteTx().Put(put(3)).Put(put(2)).Run(ctx); !dynamo.IsCondCheckFailed(err) {
		t.Fatalf("a transaction that must fail: %v", err)
	}
	if count, err := table.Get("sensor", "t").Count(ctx); err != nil || count != 2 {
		t.Fatalf("%d left: %v", count, err)
	}
	var one, two reading
	if err := db.GetTx().GetOne(table.Get("sensor", "t").Range("at", dynamo.Equal, 1), &one).
		GetOne(table.Get("sensor", "t").Range("at", dynamo.Equal, 2), &two).Run(ctx); err != nil || two.At != 2 {
		t.Fatalf("read %+v: %v", two, err)
	}
}
