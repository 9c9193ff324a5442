// The AWS SDK for Java with signatures verified: a row written and read, and keys that are wrong refused with AWS's errors.
import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

public class Signed {
  static DynamoDbClient client(String key, String secret, Region region) {
    return DynamoDbClient.builder()
        .endpointOverride(URI.create(System.getenv("DYNAMODB_ENDPOINT")))
        .region(region)
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(key, secret)))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }

  static void refused(DynamoDbClient client, String code) {
    try {
      client.listTables();
    } catch (DynamoDbException error) {
      if (error.awsErrorDetails().errorCode().equals(code)) return;
      throw error;
    }
    throw new AssertionError("a wrong key was let in; wanted " + code);
  }

  static AttributeValue text(String text) {
    return AttributeValue.builder().s(text).build();
  }

  public static void main(String[] arguments) {
    DynamoDbClient known = client("test", "test", Region.US_EAST_1);
    String table = "java-" + ProcessHandle.current().pid();
    known.createTable(b -> b.tableName(table).billingMode(BillingMode.PAY_PER_REQUEST)
        .keySchema(k -> k.attributeName("pk").keyType(KeyType.HASH))
        .attributeDefinitions(a -> a.attributeName("pk").attributeType(ScalarAttributeType.S)));
    known.putItem(b -> b.tableName(table).item(Map.of("pk", text("a"), "ä ö", text("~ü€😀"))));
    AttributeValue found = known.getItem(b -> b.tableName(table).key(Map.of("pk", text("a")))).item().get("ä ö");
    if (!found.equals(text("~ü€😀"))) throw new AssertionError(found);
    known.deleteTable(b -> b.tableName(table));

    refused(client("test", "wrong", Region.US_EAST_1), "InvalidSignatureException");
    refused(client("nobody", "test", Region.US_EAST_1), "UnrecognizedClientException");
    refused(client("test", "test", Region.EU_WEST_1), "InvalidSignatureException");
    System.out.println("ok");
  }
}
