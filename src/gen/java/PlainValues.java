package generated;

import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Lists, maps and sets of the Enhanced Client's beans, as all other code stores them. */
public final class PlainValues implements AttributeConverter<Object> {
  /** For the mapper. */
  public PlainValues() {}

  @Override
  public AttributeValue transformFrom(Object value) {
    AttributeValue stored = ItemValues.stored(value);
    return stored == null ? AttributeValue.fromNul(true) : stored;
  }

  @Override
  public Object transformTo(AttributeValue value) {
    return ItemValues.plain(value);
  }

  @Override
  public EnhancedType<Object> type() {
    return EnhancedType.of(Object.class);
  }

  @Override
  public AttributeValueType attributeValueType() {
    return AttributeValueType.M;
  }
}
