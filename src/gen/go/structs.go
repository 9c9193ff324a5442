package generated

import (
	"maps"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// marshalled is the item of a struct with dynamodbav tags, without what is absent.
func marshalled(stored any) (Item, error) {
	item, err := attributevalue.MarshalMap(stored)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(item, func(_ string, v types.AttributeValue) bool {
		_, absent := v.(*types.AttributeValueMemberNULL)
		return absent
	})
	return item, nil
}

// keyIf makes a key if all of what it needs is there.
func keyIf(key func() string, needed ...any) *string {
	if text, ok := whenPresent(key, needed...).(string); ok {
		return &text
	}
	return nil
}
