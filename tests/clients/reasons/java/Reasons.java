import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;

/** The AWS SDK for Java reads each of the sixteen reasons into its own exceptions. The cases come from cases.py, by `tests/clients/run`. */
public final class Reasons {
  private static void send(DynamoDbClient client, String table, String operation, String key, String value) {
    switch (operation) {
      case "get" -> client.getItem(get -> get.tableName(table).key(Map.of("pk", AttributeValue.fromS(key))).consistentRead(true));
      case "query" -> client.query(query -> query.tableName(table).indexName("idx").keyConditionExpression("s = :s")
          .expressionAttributeValues(Map.of(":s", AttributeValue.fromS(value))));
      default -> {
        Map<String, AttributeValue> item = new HashMap<>(Map.of("pk", AttributeValue.fromS(key)));
        if (!value.equals("-")) {
          item.put("s", AttributeValue.fromS(value));
        }
        client.putItem(put -> put.tableName(table).item(item));
      }
    }
  }

  private static List<ThrottlingReason> reasonsOf(DynamoDbException error, String exception) {
    if (error instanceof ProvisionedThroughputExceededException one && exception.equals("ProvisionedThroughputExceededException")) {
      return one.throttlingReasons();
    }
    if (error instanceof ThrottlingException one && exception.equals("ThrottlingException")) {
      return one.throttlingReasons();
    }
    if (error instanceof RequestLimitExceededException one && exception.equals("RequestLimitExceeded")) {
      return one.throttlingReasons();
    }
    throw new AssertionError("not a " + exception + ": " + error);
  }

  private static void check(String line) {
    String[] part = line.split("\t");
    try (DynamoDbClient client = DynamoDbClient.builder().endpointOverride(URI.create(part[0])).region(Region.US_EAST_1)
        .httpClient(UrlConnectionHttpClient.create()).overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"))).build()) {
      for (int number = 0; number < 200; ++number) {
        try {
          send(client, part[1], part[2], part[3].equals("*") ? "k" + number : part[3], part[4].equals("*") ? "s" + number : part[4]);
        } catch (DynamoDbException error) {
          List<ThrottlingReason> reasons = reasonsOf(error, part[5]);
          if (!reasons.contains(ThrottlingReason.builder().reason(part[6]).resource(part[7]).build())) {
            throw new AssertionError(part[6] + ": got " + reasons);
          }
          return;
        }
      }
    }
    throw new AssertionError(part[6] + ": not throttled");
  }

  public static void main(String[] arguments) throws Exception {
    Set<String> reasons = new HashSet<>();
    for (String line : Files.readAllLines(Path.of(System.getenv("REASONS")))) {
      check(line);
      reasons.add(line.split("\t")[6]);
    }
    if (reasons.size() != 16) {
      throw new AssertionError(reasons.size() + " reasons");
    }
  }
}
