// The AWS SDK for Go with signatures verified: a row written and read, and keys that are wrong refused with AWS's errors.
package signed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

func client(key, secret, region string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(os.Getenv("DYNAMODB_ENDPOINT")),
		Region:       region,
		Credentials:  credentials.NewStaticCredentialsProvider(key, secret, ""),
		Retryer:      aws.NopRetryer{},
	})
}

func TestSignedRequests(t *testing.T) {
	ctx := context.Background()
	known := client("test", "test", "us-east-1")
	table := aws.String(fmt.Sprintf("go-%d", os.Getpid()))
	if _, err := known.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            table,
		BillingMode:          types.BillingModePayPerRequest,
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
	}); err != nil {
		t.Fatal(err)
	}
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	if _, err := known.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: map[string]types.AttributeValue{"pk": text("a"), "ä ö": text("~ü€😀")}}); err != nil {
		t.Fatal(err)
	}
	found, err := known.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: map[string]types.AttributeValue{"pk": text("a")}})
	if err != nil || found.Item["ä ö"].(*types.AttributeValueMemberS).Value != "~ü€😀" {
		t.Fatalf("found %v: %v", found, err)
	}
	if _, err := known.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: table}); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []struct{ key, secret, region, code string }{
		{"test", "wrong", "us-east-1", "InvalidSignatureException"},
		{"nobody", "test", "us-east-1", "UnrecognizedClientException"},
		{"test", "test", "eu-west-1", "InvalidSignatureException"},
	} {
		_, err := client(wrong.key, wrong.secret, wrong.region).ListTables(ctx, &dynamodb.ListTablesInput{})
		var refused smithy.APIError
		if !errors.As(err, &refused) || refused.ErrorCode() != wrong.code {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}
