// The AWS SDK for Go reads each of the sixteen reasons into its own types. The cases come from cases.py, by `tests/clients/run`.
package reasons

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func text(value string) types.AttributeValue { return &types.AttributeValueMemberS{Value: value} }

func send(client *dynamodb.Client, table, operation, key, value string) error {
	ctx := context.Background()
	switch operation {
	case "get":
		_, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: map[string]types.AttributeValue{"pk": text(key)},
			ConsistentRead: aws.Bool(true)})
		return err
	case "query":
		_, err := client.Query(ctx, &dynamodb.QueryInput{TableName: &table, IndexName: aws.String("idx"),
			KeyConditionExpression:    aws.String("s = :s"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":s": text(value)}})
		return err
	}
	item := map[string]types.AttributeValue{"pk": text(key)}
	if value != "-" {
		item["s"] = text(value)
	}
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: item})
	return err
}

// The name of the exception's type and its reasons.
func reasonsOf(err error) (string, []types.ThrottlingReason) {
	var provisioned *types.ProvisionedThroughputExceededException
	var throttling *types.ThrottlingException
	var limit *types.RequestLimitExceeded
	switch {
	case errors.As(err, &provisioned):
		return "ProvisionedThroughputExceededException", provisioned.ThrottlingReasons
	case errors.As(err, &throttling):
		return "ThrottlingException", throttling.ThrottlingReasons
	case errors.As(err, &limit):
		return "RequestLimitExceeded", limit.ThrottlingReasons
	}
	return err.Error(), nil
}

func check(t *testing.T, line string) {
	part := strings.Split(line, "\t")
	client := dynamodb.New(dynamodb.Options{Region: "us-east-1", BaseEndpoint: &part[0], RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", "")})
	for number := 0; number < 200; number++ {
		key, value := part[3], part[4]
		if key == "*" {
			key = fmt.Sprintf("k%d", number)
		}
		if value == "*" {
			value = fmt.Sprintf("s%d", number)
		}
		err := send(client, part[1], part[2], key, value)
		if err == nil {
			continue
		}
		exception, reasons := reasonsOf(err)
		if exception != part[5] {
			t.Fatalf("%s instead of %s", exception, part[5])
		}
		for _, reason := range reasons {
			if aws.ToString(reason.Reason) == part[6] && aws.ToString(reason.Resource) == part[7] {
				return
			}
		}
		t.Fatalf("%d reasons, and not %s of %s", len(reasons), part[6], part[7])
	}
	t.Fatal("not throttled")
}

func TestReasons(t *testing.T) {
	lines, err := os.ReadFile(os.Getenv("REASONS"))
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		part := strings.Split(line, "\t")
		reasons[part[6]] = true
		t.Run(part[1]+part[6], func(t *testing.T) { check(t, line) })
	}
	if len(reasons) != 16 {
		t.Fatalf("%d reasons", len(reasons))
	}
}
