package generated;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A part of an answer; {@code cursor} leads to the next one, and is null when there is nothing more. */
public record Page<T>(List<T> rows, Map<String, AttributeValue> cursor) {}
