package generated;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attributes in Java's own types; absent ones are null. Single thread. */
final class ItemValues {
  private final Map<String, Object> all = new LinkedHashMap<>();

  static ItemValues values() {
    return new ItemValues();
  }

  ItemValues with(String name, Object value) {
    all.put(name, value);
    return this;
  }

  Map<String, Object> all() {
    return all;
  }

  /** What is not absent, as DynamoDB stores it. */
  Map<String, AttributeValue> item() {
    Map<String, AttributeValue> item = new LinkedHashMap<>();
    all.forEach(
        (name, value) -> {
          AttributeValue stored = stored(value);
          if (stored != null) {
            item.put(name, stored);
          }
        });
    return item;
  }

  /** How DynamoDB stores a value; null if there is none, and for an empty set, which it cannot store. */
  static AttributeValue stored(Object value) {
    if (value == null || value instanceof AttributeValue) {
      return (AttributeValue) value;
    } else if (value instanceof String text) {
      return AttributeValue.fromS(text);
    } else if (value instanceof BigDecimal number) {
      return AttributeValue.fromN(number.toPlainString());
    } else if (value instanceof Number number) {
      return AttributeValue.fromN(number.toString());
    } else if (value instanceof Boolean truth) {
      return AttributeValue.fromBool(truth);
    } else if (value instanceof SdkBytes bytes) {
      return AttributeValue.fromB(bytes);
    } else if (value instanceof Set<?> set) {
      return set.isEmpty() ? null : storedSet(set);
    } else if (value instanceof Collection<?> list) {
      return AttributeValue.fromL(list.stream().map(ItemValues::stored).toList());
    } else if (value instanceof ItemValues members) {
      return AttributeValue.fromM(members.item());
    } else if (value instanceof Map<?, ?> map) {
      ItemValues members = values();
      map.forEach((name, one) -> members.with((String) name, one));
      return stored(members);
    }
    throw new IllegalArgumentException("DynamoDB cannot store a " + value.getClass());
  }

  private static AttributeValue storedSet(Set<?> set) {
    if (set.iterator().next() instanceof BigDecimal) {
      return AttributeValue.fromNs(set.stream().map(one -> ((BigDecimal) one).toPlainString()).toList());
    }
    return AttributeValue.fromSs(set.stream().map(String.class::cast).toList());
  }

  // ---- The opposite of stored, for each type; null if there is no such value.

  static String text(AttributeValue value) {
    return value == null ? null : value.s();
  }

  static BigDecimal number(AttributeValue value) {
    return value == null || value.n() == null ? null : new BigDecimal(value.n());
  }

  static Boolean bool(AttributeValue value) {
    return value == null ? null : value.bool();
  }

  static SdkBytes bytes(AttributeValue value) {
    return value == null ? null : value.b();
  }

  static List<Object> list(AttributeValue value) {
    return value == null || !value.hasL() ? null : value.l().stream().map(ItemValues::plain).toList();
  }

  static Map<String, Object> map(AttributeValue value) {
    if (value == null || !value.hasM()) {
      return null;
    }
    Map<String, Object> members = new LinkedHashMap<>();
    value.m().forEach((name, one) -> members.put(name, plain(one)));
    return members;
  }

  static Set<String> texts(AttributeValue value) {
    return value == null || !value.hasSs() ? null : Set.copyOf(value.ss());
  }

  static Set<BigDecimal> numbers(AttributeValue value) {
    return value == null || !value.hasNs()
        ? null
        : value.ns().stream().map(BigDecimal::new).collect(Collectors.toUnmodifiableSet());
  }

  static Object plain(AttributeValue value) {
    return switch (value.type()) {
      case S -> value.s();
      case N -> number(value);
      case BOOL -> value.bool();
      case B -> value.b();
      case L -> list(value);
      case M -> map(value);
      case SS -> texts(value);
      case NS -> numbers(value);
      default -> null;
    };
  }

  static <T> T required(String name, T value) {
    if (value == null) {
      throw new IllegalStateException("an item has no " + name);
    }
    return value;
  }
}
