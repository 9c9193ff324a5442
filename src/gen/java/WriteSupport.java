package generated;

import static generated.ItemValues.stored;
import static generated.ItemValues.values;
import static generated.ReadSupport.ascending;
import static generated.ReadSupport.compare;
import static generated.ReadSupport.filter;
import static generated.ReadSupport.getItem;
import static generated.ReadSupport.keysOf;
import static generated.ReadSupport.pause;
import static generated.ReadSupport.sorted;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/** Guards, transactions, and what a refusal means. */
final class WriteSupport {
  private static final int TRIES_MAX = 5;

  private WriteSupport() {}

  /** One item to write, and what it means when its condition fails. */
  record Action(TransactWriteItem item, Supplier<WriteRefused> refusal) {}

  /** Puts an item; {@code guard} is a key attribute that must not exist yet. */
  static Action put(String entity, String table, Map<String, AttributeValue> item, String... guard) {
    return new Action(
        TransactWriteItem.builder()
            .put(
                put -> {
                  put.tableName(table).item(item);
                  for (String name : guard) {
                    put.conditionExpression("attribute_not_exists(#guard)")
                        .expressionAttributeNames(Map.of("#guard", name));
                  }
                })
            .build(),
        () -> new WriteRefused.AlreadyExists(entity));
  }

  /** The names and values of an expression. */
  private static final class Placeholders {
    final Map<String, String> names = new LinkedHashMap<>();
    final Map<String, AttributeValue> values = new LinkedHashMap<>();

    String path(String path) {
      return Stream.of(path.split("\0")).map(this::name).collect(Collectors.joining("."));
    }

    String name(String name) {
      for (var known : names.entrySet()) {
        if (known.getValue().equals(name)) {
          return known.getKey();
        }
      }
      String made = "#n" + names.size();
      names.put(made, name);
      return made;
    }

    String value(AttributeValue value) {
      String made = ":v" + values.size();
      values.put(made, value);
      return made;
    }

    String same(String name, Object value) {
      AttributeValue expected = stored(value);
      return expected == null
          ? "attribute_not_exists(" + name(name) + ")"
          : name(name) + " = " + value(expected);
    }

    /** No values at all are null, not an empty map: the service refuses one. */
    Map<String, AttributeValue> valuesOrNull() {
      return values.isEmpty() ? null : values;
    }
  }

  /** The path of an attribute inside a map, for {@code update}. */
  static String path(String... names) {
    return String.join("\0", names);
  }

  /**
   * Sets attributes of an item that exists, or of a row in a map of it; null removes. What is expected must still
   * hold.
   */
  static Action update(
      String entity,
      String table,
      Map<String, AttributeValue> key,
      ItemValues changes,
      ItemValues... expected) {
    Placeholders made = new Placeholders();
    List<String> sets = new ArrayList<>();
    List<String> removes = new ArrayList<>();
    Set<String> conditions = new LinkedHashSet<>();
    changes
        .all()
        .forEach(
            (path, change) -> {
              AttributeValue value = stored(change);
              int last = path.lastIndexOf('\0');
              if (last > path.indexOf('\0')) {
                conditions.add("attribute_exists(" + made.path(path.substring(0, last)) + ")");
              }
              if (value == null) {
                removes.add(made.path(path));
              } else {
                sets.add(made.path(path) + " = " + made.value(value));
              }
            });
    key.keySet().forEach(name -> conditions.add("attribute_exists(" + made.name(name) + ")"));
    for (ItemValues still : expected) {
      still.all().forEach((name, value) -> conditions.add(made.same(name, value)));
    }
    String expression =
        (sets.isEmpty() ? "" : "SET " + String.join(", ", sets) + " ")
            + (removes.isEmpty() ? "" : "REMOVE " + String.join(", ", removes));
    return new Action(
        TransactWriteItem.builder()
            .update(
                update ->
                    update
                        .tableName(table)
                        .key(key)
                        .updateExpression(expression.strip())
                        .conditionExpression(String.join(" AND ", conditions))
                        .expressionAttributeNames(made.names)
                        .expressionAttributeValues(made.valuesOrNull()))
            .build(),
        () ->
            expected.length > 0
                ? new WriteRefused.Conflict(entity)
                : new WriteRefused.NotFound(entity));
  }

  /** Deletes an item; one that is gone already is as good. What is expected must still hold. */
  static Action remove(
      String entity, String table, Map<String, AttributeValue> key, ItemValues... expected) {
    Placeholders made = new Placeholders();
    List<String> conditions = new ArrayList<>();
    for (ItemValues still : expected) {
      still.all().forEach((name, value) -> conditions.add(made.same(name, value)));
    }
    return new Action(
        TransactWriteItem.builder()
            .delete(
                delete -> {
                  delete.tableName(table).key(key);
                  if (!conditions.isEmpty()) {
                    delete
                        .conditionExpression(String.join(" AND ", conditions))
                        .expressionAttributeNames(made.names)
                        .expressionAttributeValues(made.valuesOrNull());
                  }
                })
            .build(),
        () -> new WriteRefused.Conflict(entity));
  }

  /** Puts an item over the one that was read before; what is expected must still hold. */
  static Action replace(
      String entity, String table, Map<String, AttributeValue> item, ItemValues expected) {
    var still = remove(entity, table, Map.of(), expected).item().delete();
    return new Action(
        TransactWriteItem.builder()
            .put(
                put ->
                    put.tableName(table)
                        .item(item)
                        .conditionExpression(still.conditionExpression())
                        .expressionAttributeNames(still.expressionAttributeNames())
                        .expressionAttributeValues(
                            still.hasExpressionAttributeValues()
                                ? still.expressionAttributeValues()
                                : null))
            .build(),
        () -> new WriteRefused.Conflict(entity));
  }

  private static <V> Map<String, V> merged(Map<String, V> a, Map<String, V> b) {
    Map<String, V> all = new LinkedHashMap<>(a);
    all.putAll(b);
    return all;
  }

  private static Map<String, AttributeValue> mergedOrNull(
      Map<String, AttributeValue> a, Map<String, AttributeValue> b) {
    return a.isEmpty() && b.isEmpty() ? null : merged(a, b);
  }

  private static Map<String, String> namesOf(ItemValues names) {
    Map<String, String> all = new LinkedHashMap<>();
    names.all().forEach((placeholder, name) -> all.put(placeholder, String.valueOf(name)));
    return all;
  }

  /** Demands more of the stored item. */
  static Action onlyIf(Action action, String condition, ItemValues names, ItemValues values) {
    TransactWriteItem.Builder item = TransactWriteItem.builder();
    var put = action.item().put();
    if (put != null) {
      String before = put.conditionExpression();
      item.put(
          put.toBuilder()
              .conditionExpression(before == null ? condition : before + " AND " + condition)
              .expressionAttributeNames(merged(put.expressionAttributeNames(), namesOf(names)))
              .expressionAttributeValues(
                  mergedOrNull(put.expressionAttributeValues(), values.item()))
              .build());
    }
    var update = action.item().update();
    if (update != null) {
      item.update(
          update.toBuilder()
              .conditionExpression(update.conditionExpression() + " AND " + condition)
              .expressionAttributeNames(merged(update.expressionAttributeNames(), namesOf(names)))
              .expressionAttributeValues(
                  mergedOrNull(update.expressionAttributeValues(), values.item()))
              .build());
    }
    var delete = action.item().delete();
    if (delete != null) {
      item.delete(
          delete.toBuilder()
              .conditionExpression(condition)
              .expressionAttributeNames(namesOf(names))
              .expressionAttributeValues(mergedOrNull(Map.of(), values.item()))
              .build());
    }
    String entity = action.refusal().get().entity();
    return new Action(item.build(), () -> new WriteRefused.ConditionNotMet(entity));
  }

  /** Adds to numbers of the item that an update changes. */
  static Action increase(Action action, ItemValues by) {
    var update = action.item().update();
    Map<String, String> names = new LinkedHashMap<>();
    Map<String, AttributeValue> values = new LinkedHashMap<>();
    List<String> sums = new ArrayList<>();
    String before = update.updateExpression();
    int first = before.split(":add", -1).length - 1;
    by.item()
        .forEach(
            (name, value) -> {
              String number = String.valueOf(first + sums.size());
              names.put("#add" + number, name);
              values.put(":add" + number, value);
              sums.add("#add" + number + " :add" + number);
            });
    String expression = before + (first > 0 ? ", " : " ADD ") + String.join(", ", sums);
    return new Action(
        TransactWriteItem.builder()
            .update(
                update.toBuilder()
                    .updateExpression(expression.strip())
                    .expressionAttributeNames(merged(update.expressionAttributeNames(), names))
                    .expressionAttributeValues(merged(update.expressionAttributeValues(), values))
                    .build())
            .build(),
        action.refusal());
  }

  /** Keeps a value unique: the old one's lock goes, the new one's must not be there yet. */
  static List<Action> moveLock(
      String entity, String table, String before, String after, String... names) {
    List<Action> actions = new ArrayList<>();
    if (Objects.equals(before, after)) {
      return actions;
    }
    if (before != null) {
      actions.add(remove(entity, table, lockKey(before, names)));
    }
    if (after != null) {
      actions.add(put(entity, table, lockKey(after, names), names[0]));
    }
    return actions;
  }

  /** Keeps a row's second item where its key says. A key without one of its attributes is none. */
  static List<Action> moveSecond(
      String entity,
      String table,
      ItemValues before,
      Map<String, AttributeValue> item,
      String... names) {
    Map<String, AttributeValue> old = before.item();
    List<String> key = List.of(names);
    boolean wasThere = old.keySet().containsAll(key);
    boolean stays = wasThere && sameRow(old, item, names);
    List<Action> actions = new ArrayList<>();
    if (wasThere && !stays) {
      actions.add(remove(entity, table, old));
    }
    if (item.keySet().containsAll(key)) {
      actions.add(stays ? put(entity, table, item) : put(entity, table, item, names[0]));
    }
    return actions;
  }

  /** Changes the second item of a row that has one. */
  static List<Action> updateSecond(
      String entity, String table, ItemValues key, ItemValues changes) {
    Map<String, AttributeValue> item = key.item();
    return item.size() < key.all().size()
        ? List.of()
        : List.of(update(entity, table, item, changes));
  }

  private static Map<String, AttributeValue> lockKey(String value, String... names) {
    return Arrays.stream(names)
        .collect(Collectors.toMap(name -> name, name -> AttributeValue.fromS(value)));
  }

  /** The transaction holds only while these attributes are as they were read. */
  static Action unchanged(
      String entity, String table, Map<String, AttributeValue> key, ItemValues expected) {
    var still = remove(entity, table, key, expected).item().delete();
    return new Action(
        TransactWriteItem.builder()
            .conditionCheck(
                check ->
                    check
                        .tableName(table)
                        .key(key)
                        .conditionExpression(still.conditionExpression())
                        .expressionAttributeNames(still.expressionAttributeNames())
                        .expressionAttributeValues(
                            still.hasExpressionAttributeValues()
                                ? still.expressionAttributeValues()
                                : null))
            .build(),
        () -> new WriteRefused.Conflict(entity));
  }

  private static ItemValues asValues(Map<String, AttributeValue> item) {
    ItemValues all = values();
    item.forEach(all::with);
    return all;
  }

  /** Changes an item that was read; where its key changes, deletes it and puts it again. */
  static List<Action> move(
      String entity,
      String table,
      Map<String, AttributeValue> before,
      Map<String, AttributeValue> key,
      Map<String, AttributeValue> newKey,
      ItemValues changes) {
    if (key.equals(newKey)) {
      return List.of(update(entity, table, key, changes, asValues(before)));
    }
    Map<String, AttributeValue> item = new LinkedHashMap<>(before);
    item.keySet().removeAll(changes.all().keySet());
    item.putAll(changes.item());
    item.putAll(newKey);
    return List.of(
        remove(entity, table, key, asValues(before)),
        put(entity, table, item, newKey.keySet().iterator().next()));
  }

  /** Refuses a write whose condition does not hold of what was read. */
  static void demand(String entity, boolean... tests) {
    for (boolean holds : tests) {
      if (!holds) {
        throw new WriteRefused.ConditionNotMet(entity);
      }
    }
  }

  /** An absent number counts as 0. */
  static BigDecimal added(Object before, BigDecimal by) {
    AttributeValue number = stored(before);
    return number == null || number.n() == null ? by : new BigDecimal(number.n()).add(by);
  }

  /** What sums and counts of another item change by. */
  private record Total(
      String entity, String table, Map<String, AttributeValue> key, Map<String, BigDecimal> by) {}

  /** Actions that are written together, and what they add to sums and counts of other items. Single thread. */
  static final class Changes {
    private static final int ACTIONS_MAX = 100;
    private final List<Action> actions = new ArrayList<>();
    private final Map<List<Object>, Total> totals = new LinkedHashMap<>();

    void add(Action action) {
      actions.add(action);
    }

    void addAll(List<Action> several) {
      actions.addAll(several);
    }

    void addTo(
        String entity, String table, Map<String, AttributeValue> key, String name, Object by) {
      totals
          .computeIfAbsent(
              List.of(table, key), place -> new Total(entity, table, key, new LinkedHashMap<>()))
          .by()
          .merge(name, added(by, BigDecimal.ZERO), BigDecimal::add);
    }

    void takeFrom(
        String entity, String table, Map<String, AttributeValue> key, String name, Object by) {
      addTo(entity, table, key, name, added(by, BigDecimal.ZERO).negate());
    }

    /** All actions. What a total changes by joins the action on its item, if there is one. */
    Action[] finished() {
      List<Action> all = new ArrayList<>();
      for (Action action : actions) {
        var check = action.item().conditionCheck();
        if (check == null
            || all.stream()
                .noneMatch(other -> writesItem(other.item(), check.tableName(), check.key()))) {
          all.add(action);
        }
      }
      for (Total total : totals.values()) {
        ItemValues by = values();
        total
            .by()
            .forEach(
                (name, value) -> {
                  if (value.signum() != 0) {
                    by.with(name, value);
                  }
                });
        if (by.all().isEmpty()) {
          continue;
        }
        int at = 0;
        while (at < all.size() && !writesItem(all.get(at).item(), total.table(), total.key())) {
          ++at;
        }
        if (at == all.size()) {
          all.add(increase(update(total.entity(), total.table(), total.key(), values()), by));
        } else {
          all.set(at, including(all.get(at), by));
        }
      }
      return all.toArray(Action[]::new);
    }

    void write(DynamoDbClient db) {
      WriteSupport.write(db, finished());
    }

    /** One transaction, or several if there are more actions than one can have, in their order. */
    void writeInGroups(DynamoDbClient db) {
      Action[] all = finished();
      for (int first = 0; first < all.length; first += ACTIONS_MAX) {
        int last = Math.min(first + ACTIONS_MAX, all.length);
        WriteSupport.write(db, Arrays.copyOfRange(all, first, last));
      }
    }
  }

  private static boolean writesItem(
      TransactWriteItem item, String wanted, Map<String, AttributeValue> key) {
    String table;
    Map<String, AttributeValue> own;
    if (item.put() != null) {
      table = item.put().tableName();
      own = item.put().item();
    } else if (item.update() != null) {
      table = item.update().tableName();
      own = item.update().key();
    } else if (item.delete() != null) {
      table = item.delete().tableName();
      own = item.delete().key();
    } else {
      table = item.conditionCheck().tableName();
      own = item.conditionCheck().key();
    }
    return wanted.equals(table) && own.entrySet().containsAll(key.entrySet());
  }

  /** The action with totals: in the item that it puts, or added to the item that it changes. */
  private static Action including(Action action, ItemValues by) {
    var put = action.item().put();
    if (put != null) {
      Map<String, AttributeValue> item = new LinkedHashMap<>(put.item());
      by.all()
          .forEach(
              (name, value) ->
                  item.put(name, stored(added(item.get(name), (BigDecimal) value))));
      return new Action(
          TransactWriteItem.builder().put(put.toBuilder().item(item).build()).build(),
          action.refusal());
    }
    var check = action.item().conditionCheck();
    if (check != null) {
      var changed =
          TransactWriteItem.builder()
              .update(
                  update ->
                      update
                          .tableName(check.tableName())
                          .key(check.key())
                          .updateExpression("")
                          .conditionExpression(check.conditionExpression())
                          .expressionAttributeNames(check.expressionAttributeNames())
                          .expressionAttributeValues(
                              check.hasExpressionAttributeValues()
                                  ? check.expressionAttributeValues()
                                  : null))
              .build();
      return increase(new Action(changed, action.refusal()), by);
    }
    return action.item().update() == null ? action : increase(action, by);
  }

  /** An action for each row. */
  static <T> List<Action> actionsFor(List<T> rows, Function<T, Action> make) {
    return rows.stream().map(make).toList();
  }

  @SafeVarargs
  static Action[] together(List<Action>... lists) {
    List<Action> all = new ArrayList<>();
    for (List<Action> list : lists) {
      all.addAll(list);
    }
    return all.toArray(Action[]::new);
  }

  /** One action as it is, several in one transaction: all of them happen, or none. */
  static void write(DynamoDbClient db, Action... actions) {
    try {
      if (actions.length == 1) {
        writeOne(db, actions[0].item());
      } else if (actions.length > 1) {
        List<TransactWriteItem> items = Arrays.stream(actions).map(Action::item).toList();
        db.transactWriteItems(write -> write.transactItems(items));
      }
    } catch (ConditionalCheckFailedException failed) {
      throw because(actions[0].refusal().get(), failed);
    } catch (TransactionConflictException conflict) {
      throw because(new WriteRefused.Conflict("an item"), conflict);
    } catch (TransactionCanceledException cancelled) {
      throw refusalOf(cancelled, actions);
    }
  }

  private static void writeOne(DynamoDbClient db, TransactWriteItem item) {
    if (item.put() != null) {
      var put = item.put();
      db.putItem(
          request ->
              request
                  .tableName(put.tableName())
                  .item(put.item())
                  .conditionExpression(put.conditionExpression())
                  .expressionAttributeNames(
                      put.hasExpressionAttributeNames() ? put.expressionAttributeNames() : null)
                  .expressionAttributeValues(
                      put.hasExpressionAttributeValues()
                          ? put.expressionAttributeValues()
                          : null));
    } else if (item.update() != null) {
      var update = item.update();
      db.updateItem(
          request ->
              request
                  .tableName(update.tableName())
                  .key(update.key())
                  .updateExpression(update.updateExpression())
                  .conditionExpression(update.conditionExpression())
                  .expressionAttributeNames(update.expressionAttributeNames())
                  .expressionAttributeValues(
                      update.hasExpressionAttributeValues()
                          ? update.expressionAttributeValues()
                          : null));
    } else {
      var delete = item.delete();
      db.deleteItem(
          request ->
              request
                  .tableName(delete.tableName())
                  .key(delete.key())
                  .conditionExpression(delete.conditionExpression())
                  .expressionAttributeNames(
                      delete.hasExpressionAttributeNames()
                          ? delete.expressionAttributeNames()
                          : null)
                  .expressionAttributeValues(
                      delete.hasExpressionAttributeValues()
                          ? delete.expressionAttributeValues()
                          : null));
    }
  }

  private static RuntimeException refusalOf(
      TransactionCanceledException cancelled, Action[] actions) {
    List<String> codes = cancelled.cancellationReasons().stream().map(CancellationReason::code).toList();
    int refused = codes.indexOf("ConditionalCheckFailed");
    if (refused >= 0) {
      return because(actions[refused].refusal().get(), cancelled);
    }
    return codes.contains("TransactionConflict")
        ? because(new WriteRefused.Conflict("an item"), cancelled)
        : cancelled;
  }

  private static WriteRefused because(WriteRefused refused, RuntimeException cause) {
    refused.initCause(cause);
    return refused;
  }

  /** Reads, computes and writes again when another writer was faster. */
  static void retrying(Runnable work) {
    for (int tries = 1; ; ++tries) {
      try {
        work.run();
        return;
      } catch (WriteRefused.Conflict conflict) {
        if (tries == TRIES_MAX) {
          throw conflict;
        }
        pause(tries);
      }
    }
  }

  /** Changes a list inside an item; nothing that another writer adds meanwhile is lost. */
  static void rewriteList(
      DynamoDbClient db,
      String entity,
      String table,
      Map<String, AttributeValue> key,
      String name,
      UnaryOperator<List<Map<String, AttributeValue>>> change) {
    retrying(
        () -> {
          var item = getItem(db, table, key);
          if (item.isEmpty()) {
            throw new WriteRefused.NotFound(entity);
          }
          AttributeValue before = item.get(name);
          List<Map<String, AttributeValue>> rows =
              before == null ? List.of() : before.l().stream().map(AttributeValue::m).toList();
          List<AttributeValue> after =
              change.apply(rows).stream().map(AttributeValue::fromM).toList();
          write(
              db,
              update(entity, table, key, values().with(name, after), values().with(name, before)));
        });
  }

  /** Only what is not absent. */
  static ItemValues compact(ItemValues row) {
    row.all().values().removeIf(value -> value == null);
    return row;
  }

  private static boolean sameRow(
      Map<String, AttributeValue> a, Map<String, AttributeValue> b, String... names) {
    return Arrays.stream(names).allMatch(name -> compare(a.get(name), b.get(name)) == 0);
  }

  /** In place of the row with the same key, or where its key belongs. */
  static List<Map<String, AttributeValue>> withRow(
      List<Map<String, AttributeValue>> rows, ItemValues row, String... names) {
    List<Map<String, AttributeValue>> all = new ArrayList<>(withoutRow(rows, row, names));
    all.add(row.item());
    for (int i = names.length - 1; i >= 0; --i) {
      String name = names[i];
      all = sorted(all, ascending(item -> item.get(name)));
    }
    return all;
  }

  static List<Map<String, AttributeValue>> withoutRow(
      List<Map<String, AttributeValue>> rows, ItemValues key, String... names) {
    var wanted = key.item();
    return filter(rows, row -> !sameRow(row, wanted, names));
  }

  /** The row with this key gets new values. */
  static List<Map<String, AttributeValue>> withChanges(
      List<Map<String, AttributeValue>> rows, ItemValues key, ItemValues changes, String... names) {
    var wanted = key.item();
    return keysOf(
        rows,
        row -> {
          if (!sameRow(row, wanted, names)) {
            return row;
          }
          Map<String, AttributeValue> changed = new HashMap<>(row);
          changed.keySet().removeAll(changes.all().keySet());
          changed.putAll(changes.item());
          return changed;
        });
  }

  /** For an item that may be gone before its copy is written. */
  static void writeIfThere(DynamoDbClient db, Action action) {
    try {
      write(db, action);
    } catch (WriteRefused.NotFound gone) {
      // Its copy went with it.
    }
  }
}
