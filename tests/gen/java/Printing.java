// What the Java scripts share; a copy stands in each generated package.
package generated;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class Printing {
  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  static String json(AttributeValue value) {
    return switch (value.type()) {
      case S -> quoted(value.s());
      case N -> value.n();
      case BOOL -> value.bool().toString();
      case L -> value.l().stream().map(Printing::json).collect(Collectors.joining(", ", "[", "]"));
      case SS -> value.ss().stream().map(Printing::quoted).collect(Collectors.joining(", ", "[", "]"));
      case NS -> "[" + String.join(", ", value.ns()) + "]";
      case M -> jsonMap(value.m());
      default -> "null";
    };
  }

  static String jsonMap(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .map(one -> quoted(one.getKey()) + ": " + json(one.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  static <T> String rowsAs(List<T> rows, Function<T, ItemValues> fill) {
    return rows.stream()
        .map(row -> jsonMap(fill.apply(row).item()))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  static <T> String rowAs(T row, Function<T, ItemValues> fill) {
    List<T> rows = new ArrayList<>();
    if (row != null) {
      rows.add(row);
    }
    return rowsAs(rows, fill);
  }

  static String measured(String name, Object number) {
    String plain = new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
    return "[{" + quoted(name) + ": " + plain + "}]";
  }

  static void emit(String call, String... sections) {
    System.out.println(
        "{\"call\": " + quoted(call) + ", \"sections\": [" + String.join(", ", Arrays.asList(sections)) + "]}");
  }

  static void attempt(String call, Runnable work) {
    String outcome = "ok";
    try {
      work.run();
    } catch (WriteRefused | InvalidKeyPart refused) {
      outcome = refused.getClass().getSimpleName();
    } catch (RuntimeException error) {
      outcome = error.toString();
    }
    System.out.println("{\"call\": " + quoted(call) + ", \"outcome\": " + quoted(outcome) + "}");
  }
}
