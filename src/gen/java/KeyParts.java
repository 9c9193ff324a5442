package generated;

import static generated.ItemValues.stored;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What keys are made of and read from. */
final class KeyParts {
  private KeyParts() {}

  /** Sorts behind every text that begins with {@code prefix}. */
  static String after(String prefix) {
    return prefix + "\uDBFF\uDFFF";
  }

  /**
   * Refuses a part that is empty, or that would be read as something else: one that contains the
   * text behind it, and what the rules say of both together; the first of them is that text. "*x":
   * contains x; "^x": begins with x; "=x": is x; "&lt;x": x begins with it; "@0000-00-00": does not
   * begin in this form, which "*" skips.
   */
  static void checkPart(String attribute, String text, String... nextAndRules) {
    String next = nextAndRules.length == 0 ? "" : nextAndRules[0];
    List<String> rules = new ArrayList<>(Arrays.asList(nextAndRules));
    if (!rules.isEmpty()) {
      rules.remove(0);
    }
    rules.add("*" + next);
    String reason = text.isEmpty() ? "is empty" : null;
    String whole = text + next;
    int from = 0;
    for (String rule : rules) {
      String what = rule.substring(1);
      if (reason != null || what.isEmpty()) {
        continue;
      }
      switch (rule.charAt(0)) {
        case '@' -> {
          reason = hasForm(text, what) ? null : "does not begin in the form " + what;
          from = what.length();
        }
        case '^' -> reason = whole.startsWith(what) ? "begins with \"" + what + "\"" : null;
        case '=' -> reason = whole.equals(what) ? "makes \"" + what + "\"" : null;
        case '<' -> reason = what.startsWith(whole) ? "could continue as \"" + what + "\"" : null;
        default -> {
          int at = whole.indexOf(what, from);
          reason = at >= 0 && at < text.length() ? "contains \"" + what + "\"" : null;
        }
      }
    }
    if (reason != null) {
      throw new InvalidKeyPart(attribute, text, reason);
    }
  }

  private static boolean hasForm(String text, String form) {
    return text.length() >= form.length()
        && text.substring(0, form.length()).replaceAll("[0-9]", "0").equals(form);
  }

  /** A value as keys write it. */
  static String part(Object value) {
    return plainText(value);
  }

  private static String plainText(Object value) {
    if (value instanceof BigDecimal number) {
      return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
    return value.toString();
  }

  /** Padded with zeros, so that text order is number order. */
  static String padded(Object value, int width) {
    String text = part(value);
    return text.isEmpty() ? "" : "0".repeat(Math.max(0, width - text.length())) + text;
  }

  /** Lower case as the table writes it: the letters A to Z only. */
  static String lower(String text) {
    return part(text)
        .codePoints()
        .map(c -> c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  /** Upper case as the table writes it: the letters a to z only. */
  static String upper(String text) {
    return part(text)
        .codePoints()
        .map(c -> c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  /** So many characters from the beginning. */
  static String beginning(String text, int count) {
    return text.codePoints()
        .limit(count)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  /** Counted down from nines, so that the largest sorts first; nothing for a number that has no such key. */
  static String countedDown(Object value, int digits) {
    String text = part(value);
    if (!text.matches("[0-9]+") || text.length() > digits) {
      return "";
    }
    return padded(text, digits)
        .chars()
        .mapToObj(c -> Character.toString('0' + '9' - c))
        .collect(Collectors.joining());
  }

  /** The shard that a value belongs to: FNV-1a of its UTF-8 bytes. */
  static String shardOf(Object value, int count) {
    long hash = 0xcbf29ce484222325L;
    for (byte one : plainText(value).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (one & 0xff)) * 0x100000001b3L;
    }
    return Long.toUnsignedString(Long.remainderUnsigned(hash, count));
  }

  /** A key, if all of what it needs is there. */
  static String whenPresent(Supplier<String> key, Object... needed) {
    for (Object one : needed) {
      if (one == null || one.equals("") || one instanceof AttributeValue value && "".equals(value.s())) {
        return null;
      }
    }
    return key.get();
  }

  /** The attributes of a key, given the texts around them; null if it is another key. */
  static List<String> readKey(AttributeValue key, List<String> literals) {
    if (key == null || key.s() == null || !key.s().startsWith(literals.get(0))) {
      return null;
    }
    String text = key.s();
    List<String> parts = new ArrayList<>();
    int at = literals.get(0).length();
    for (String literal : literals.subList(1, literals.size())) {
      int end = literal.isEmpty() ? text.length() : text.indexOf(literal, at);
      if (end <= at) {
        return null;
      }
      parts.add(text.substring(at, end));
      at = end + literal.length();
    }
    return at == text.length() ? parts : null;
  }

  /** An attribute that is kept in a key only. */
  static AttributeValue keyPart(
      Map<String, AttributeValue> item, String name, int index, String... literals) {
    List<String> parts = readKey(item.get(name), Arrays.asList(literals));
    return parts == null ? null : AttributeValue.fromS(parts.get(index));
  }

  static AttributeValue asNumber(AttributeValue text) {
    return text == null ? null : stored(new BigDecimal(text.s()));
  }

  static AttributeValue asBool(AttributeValue text) {
    return text == null ? null : stored(text.s().equals("true"));
  }

  /** How to tell the items of an entity from others. A key without texts around it may be anything. */
  record Layout(String entity, String type, Map<String, List<String>> keys) {
    boolean fits(Map<String, AttributeValue> item) {
      return keys.entrySet().stream()
          .allMatch(
              key ->
                  item.containsKey(key.getKey())
                      && (key.getValue().isEmpty()
                          || readKey(item.get(key.getKey()), key.getValue()) != null));
    }
  }

  /** Whose item it is: by its type attribute, else by the first layout that its keys fit. */
  static String entityOf(
      Map<String, AttributeValue> item, List<Layout> layouts, String typeAttribute) {
    AttributeValue type = item.get(typeAttribute);
    for (Layout layout : layouts) {
      if (type != null && layout.type().equals(type.s())) {
        return layout.entity();
      }
    }
    return layouts.stream().filter(one -> one.fits(item)).map(Layout::entity).findFirst().orElse("");
  }
}
