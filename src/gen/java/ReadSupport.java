package generated;

import static generated.ItemValues.stored;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** Requests, and what is done with their items. */
final class ReadSupport {
  private static final int THREADS_MAX = 16;
  private static final int BATCH_MAX = 100;

  private ReadSupport() {}

  // ---- Requests

  /** Empty if there is none. */
  static Map<String, AttributeValue> getItem(
      DynamoDbClient db, String table, Map<String, AttributeValue> key) {
    return db.getItem(get -> get.tableName(table).key(key).consistentRead(true)).item();
  }

  static List<Map<String, AttributeValue>> getItems(
      DynamoDbClient db, Consumer<GetItemRequest.Builder> request) {
    var response = db.getItem(request);
    return response.hasItem() ? List.of(response.item()) : List.of();
  }

  static List<Map<String, AttributeValue>> queryAll(
      DynamoDbClient db, Consumer<QueryRequest.Builder> request) {
    return queryAll(db, found -> false, request);
  }

  /** All pages of a Query, or as many as {@code enough} asks for. */
  static List<Map<String, AttributeValue>> queryAll(
      DynamoDbClient db,
      Predicate<List<Map<String, AttributeValue>>> enough,
      Consumer<QueryRequest.Builder> request) {
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    for (QueryResponse page : db.queryPaginator(request)) {
      items.addAll(page.items());
      if (enough.test(items)) {
        break;
      }
    }
    return items;
  }

  /** The items that a Query finds, counted by DynamoDB. */
  static long countAll(DynamoDbClient db, Consumer<QueryRequest.Builder> request) {
    return db.queryPaginator(request).stream().mapToLong(QueryResponse::count).sum();
  }

  /** The exact sum; what is no number adds nothing. */
  static BigDecimal sumOf(
      List<Map<String, AttributeValue>> items,
      Function<Map<String, AttributeValue>, AttributeValue> of) {
    return items.stream()
        .map(of)
        .map(ItemValues::number)
        .filter(Objects::nonNull)
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** All pages of a Scan. */
  static List<Map<String, AttributeValue>> scanAll(
      DynamoDbClient db, Consumer<ScanRequest.Builder> request) {
    return new ArrayList<>(db.scanPaginator(request).items().stream().toList());
  }

  /** {@code limit} and {@code cursor} may be null. */
  static QueryResponse queryPage(
      DynamoDbClient db,
      Integer limit,
      Map<String, AttributeValue> cursor,
      Consumer<QueryRequest.Builder> request) {
    return db.query(query -> request.accept(query.limit(limit).exclusiveStartKey(cursor)));
  }

  static <T> Page<T> page(List<T> rows, QueryResponse response) {
    return new Page<>(rows, response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : null);
  }

  static List<Integer> shards(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  /** The same request for each different value or shard, all at once. */
  static <T> List<Map<String, AttributeValue>> inParallel(
      List<T> values, Function<T, List<Map<String, AttributeValue>>> read) {
    Map<AttributeValue, T> different = new LinkedHashMap<>();
    values.forEach(value -> different.putIfAbsent(normal(stored(value)), value));
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(THREADS_MAX, different.size()));
    try {
      var answers =
          different.values().stream()
              .map(value -> CompletableFuture.supplyAsync(() -> read.apply(value), threads))
              .toList();
      return answers.stream().flatMap(answer -> answer.join().stream()).toList();
    } catch (CompletionException failed) {
      // The caller sees what it would without threads.
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    } finally {
      threads.shutdown();
    }
  }

  /** Items in the order of their keys; empty ones where there is none. */
  static List<Map<String, AttributeValue>> batchGet(
      DynamoDbClient db, String table, List<Map<String, AttributeValue>> keys, boolean consistent) {
    List<Map<String, AttributeValue>> left = new ArrayList<>(distinct(keys));
    Map<Object, Map<String, AttributeValue>> found = new HashMap<>();
    int tries = 0;
    while (!left.isEmpty()) {
      List<Map<String, AttributeValue>> batch = left.subList(0, Math.min(BATCH_MAX, left.size()));
      var request = KeysAndAttributes.builder().keys(batch).consistentRead(consistent).build();
      var response = db.batchGetItem(get -> get.requestItems(Map.of(table, request)));
      batch.clear();
      response
          .responses()
          .getOrDefault(table, List.of())
          .forEach(item -> found.put(idOf(item, keys.get(0)), item));
      if (response.unprocessedKeys().containsKey(table)) {
        left.addAll(response.unprocessedKeys().get(table).keys());
        pause(++tries);
      } else {
        tries = 0;
      }
    }
    return keys.stream().map(key -> found.getOrDefault(idOf(key, key), Map.of())).toList();
  }

  /** Each item with what the row's other item holds; an empty one where that is gone and needed. */
  static List<Map<String, AttributeValue>> withRest(
      List<Map<String, AttributeValue>> items,
      List<Map<String, AttributeValue>> others,
      boolean needed) {
    List<Map<String, AttributeValue>> all = new ArrayList<>();
    for (int i = 0; i < items.size(); ++i) {
      Map<String, AttributeValue> both = new HashMap<>(others.get(i));
      if (!needed || !both.isEmpty()) {
        both.putAll(items.get(i));
      }
      all.add(both);
    }
    return all;
  }

  /** Back-off with full jitter: up to 40 ms, then twice as long each time, up to 1 s. */
  static void pause(int tries) {
    long longest = Math.min(1000L, 20L << Math.min(tries, 10));
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(longest + 1));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting to try again", interrupted);
    }
  }

  /** The attributes of an item that {@code key} names, fit for comparing. */
  private static Object idOf(Map<String, AttributeValue> item, Map<String, AttributeValue> key) {
    Map<String, AttributeValue> id = new HashMap<>();
    key.keySet().forEach(name -> id.put(name, normal(item.get(name))));
    return id;
  }

  private static AttributeValue normal(AttributeValue value) {
    return value != null && value.n() != null
        ? AttributeValue.fromN(new BigDecimal(value.n()).stripTrailingZeros().toString())
        : value;
  }

  // ---- Items

  static List<Map<String, AttributeValue>> filter(
      List<Map<String, AttributeValue>> items, Predicate<Map<String, AttributeValue>> keep) {
    return items.stream().filter(keep).toList();
  }

  static int count(
      List<Map<String, AttributeValue>> items, Predicate<Map<String, AttributeValue>> counts) {
    return filter(items, counts).size();
  }

  static List<Map<String, AttributeValue>> atMost(
      List<Map<String, AttributeValue>> items, int limit) {
    return items.subList(0, Math.min(limit, items.size()));
  }

  static List<Map<String, AttributeValue>> keysOf(
      List<Map<String, AttributeValue>> items,
      Function<Map<String, AttributeValue>, Map<String, AttributeValue>> key) {
    return items.stream().map(key).toList();
  }

  static List<Map<String, AttributeValue>> present(List<Map<String, AttributeValue>> items) {
    return filter(items, item -> !item.isEmpty());
  }

  /** Each key once, in the order in which it came first. */
  static List<Map<String, AttributeValue>> distinct(List<Map<String, AttributeValue>> keys) {
    Map<Object, Map<String, AttributeValue>> different = new LinkedHashMap<>();
    keys.forEach(key -> different.putIfAbsent(idOf(key, key), key));
    return List.copyOf(different.values());
  }

  static <T> List<T> rowsOf(
      List<Map<String, AttributeValue>> items, Function<Map<String, AttributeValue>, T> read) {
    return items.stream().map(read).toList();
  }

  static <T> List<T> rowsOf(
      List<Map<String, AttributeValue>> items,
      BiFunction<Map<String, AttributeValue>, Integer, T> read) {
    return IntStream.range(0, items.size()).mapToObj(i -> read.apply(items.get(i), i)).toList();
  }

  /** Null if there are none. */
  static <T> T first(List<T> rows) {
    return rows.isEmpty() ? null : rows.get(0);
  }

  /**
   * The rows inside a list or map of an item, each with what {@code parent} takes from the item
   * around it. The keys of a map become the attribute {@code by}; plain values of a list are called
   * {@code member}.
   */
  static List<Map<String, AttributeValue>> rowsInside(
      List<Map<String, AttributeValue>> items,
      String name,
      String by,
      String member,
      Function<Map<String, AttributeValue>, ItemValues> parent) {
    List<Map<String, AttributeValue>> rows = new ArrayList<>();
    for (Map<String, AttributeValue> item : items) {
      AttributeValue inside = item.getOrDefault(name, AttributeValue.fromL(List.of()));
      for (AttributeValue one : inside.l()) {
        Map<String, AttributeValue> row = parent.apply(item).item();
        row.putAll(member.isEmpty() ? one.m() : Map.of(member, one));
        rows.add(row);
      }
      new TreeMap<>(inside.m())
          .forEach(
              (key, one) -> {
                Map<String, AttributeValue> row = parent.apply(item).item();
                row.putAll(one.m());
                row.put(by, AttributeValue.fromS(key));
                rows.add(row);
              });
    }
    return rows;
  }

  // ---- Order and conditions

  /** As DynamoDB sorts: texts by their bytes, numbers by value, absent values first. */
  static int compare(AttributeValue a, AttributeValue b) {
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    } else if (a.n() != null && b.n() != null) {
      return new BigDecimal(a.n()).compareTo(new BigDecimal(b.n()));
    } else if (a.s() != null && b.s() != null) {
      return Arrays.compareUnsigned(
          a.s().getBytes(StandardCharsets.UTF_8), b.s().getBytes(StandardCharsets.UTF_8));
    }
    return a.equals(b) ? 0 : -1;
  }

  static AttributeValue least(Object... values) {
    return Collections.min(storedAll(values), ReadSupport::compare);
  }

  static AttributeValue greatest(Object... values) {
    return Collections.max(storedAll(values), ReadSupport::compare);
  }

  private static List<AttributeValue> storedAll(Object... values) {
    return Arrays.stream(values).map(ItemValues::stored).toList();
  }

  /** What rows are sorted by. */
  static Comparator<Map<String, AttributeValue>> ascending(
      Function<Map<String, AttributeValue>, AttributeValue> key) {
    return (a, b) -> compare(key.apply(a), key.apply(b));
  }

  static Comparator<Map<String, AttributeValue>> descending(
      Function<Map<String, AttributeValue>, AttributeValue> key) {
    return ascending(key).reversed();
  }

  @SafeVarargs
  static List<Map<String, AttributeValue>> sorted(
      List<Map<String, AttributeValue>> items,
      Comparator<Map<String, AttributeValue>>... orders) {
    Comparator<Map<String, AttributeValue>> all = (a, b) -> 0;
    for (Comparator<Map<String, AttributeValue>> order : orders) {
      all = all.thenComparing(order);
    }
    return items.stream().sorted(all).toList();
  }

  /** The same for the first characters of both sides. */
  static boolean matchesBeginning(
      AttributeValue value, int count, String test, Object... operands) {
    Object[] others = Arrays.stream(operands).map(one -> beginningOf(one, count)).toArray();
    return matches(beginningOf(value, count), test, others);
  }

  private static AttributeValue beginningOf(Object value, int count) {
    AttributeValue text = stored(value);
    return text == null || text.s() == null
        ? text
        : AttributeValue.fromS(KeyParts.beginning(text.s(), count));
  }

  /** A condition that the keys do not serve; an absent value meets those that ask for another one only. */
  static boolean matches(AttributeValue value, String test, Object... operands) {
    if (value == null) {
      return test.equals("not exists") || test.equals("<>");
    }
    if (test.equals("exists") || test.equals("not exists")) {
      return test.equals("exists");
    }
    List<AttributeValue> others = storedAll(operands);
    int order = compare(value, others.get(0));
    return switch (test) {
      case "=" -> order == 0;
      case "<>" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case ">=" -> order >= 0;
      case "between" -> order >= 0 && compare(value, others.get(1)) <= 0;
      case "in" -> others.stream().anyMatch(one -> compare(value, one) == 0);
      case "begins_with" -> value.s() != null && value.s().startsWith(others.get(0).s());
      default -> contains(value, others.get(0));
    };
  }

  private static boolean contains(AttributeValue value, AttributeValue wanted) {
    if (value.s() != null) {
      return wanted.s() != null && value.s().contains(wanted.s());
    } else if (value.hasSs()) {
      return value.ss().contains(wanted.s());
    } else if (value.hasNs()) {
      return value.ns().stream().anyMatch(one -> compare(AttributeValue.fromN(one), wanted) == 0);
    }
    return value.l().stream().anyMatch(one -> compare(one, wanted) == 0);
  }
}
