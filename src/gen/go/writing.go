package generated

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// What errors.Is finds in the error of a refused write. Nothing was written.
var (
	// ErrAlreadyExists: a guard refused the write, there is such an item already.
	ErrAlreadyExists = errors.New("exists already")
	// ErrNotFound: a guard refused the write, there is no such item.
	ErrNotFound = errors.New("does not exist")
	// ErrConditionNotMet: there is no such item, or it is not as the write demands.
	ErrConditionNotMet = errors.New("does not exist, or does not allow this write")
	// ErrConflict: another writer was faster. Trying again is safe.
	ErrConflict = errors.New("was changed by another writer")
)

// action is one item to write, and what it means when its condition fails.
type action struct {
	entity  string
	refusal error
	item    types.TransactWriteItem
}

// refused has what DynamoDB said in it, for errors.As.
func (a action) refused(cause error) error {
	return fmt.Errorf("%s %w: %w", a.entity, a.refusal, cause)
}

func notFound(entity string) error { return fmt.Errorf("%s %w", entity, ErrNotFound) }

// put writes a whole item; guard is a key attribute that must not exist yet.
func put(entity, table string, item Item, guard ...string) action {
	in := &types.Put{TableName: aws.String(table), Item: item}
	if len(guard) > 0 {
		in.ConditionExpression = aws.String("attribute_not_exists(#guard)")
		in.ExpressionAttributeNames = map[string]string{"#guard": guard[0]}
	}
	return action{entity, ErrAlreadyExists, types.TransactWriteItem{Put: in}}
}

// placeholders are the names and values of an expression.
type placeholders struct {
	names  map[string]string
	values Item
}

func (p placeholders) path(path string) string {
	parts := strings.Split(path, "\x00")
	for i, name := range parts {
		parts[i] = p.name(name)
	}
	return strings.Join(parts, ".")
}

func (p placeholders) name(name string) string {
	for made, known := range p.names {
		if known == name {
			return made
		}
	}
	made := fmt.Sprintf("#n%d", len(p.names))
	p.names[made] = name
	return made
}

func (p placeholders) value(v types.AttributeValue) string {
	made := fmt.Sprintf(":v%d", len(p.values))
	p.values[made] = v
	return made
}

// path is the place of an attribute inside a map, for update.
func path(names ...string) string { return strings.Join(names, "\x00") }

// update sets attributes of an item that exists, or of a row in a map of it; nil removes. What is expected must still hold.
func update(entity, table string, key Item, changes values, expected ...values) action {
	p := placeholders{map[string]string{}, Item{}}
	var sets, removes, conditions []string
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if last := strings.LastIndex(name, "\x00"); strings.Count(name, "\x00") > 1 {
			if row := "attribute_exists(" + p.path(name[:last]) + ")"; !slices.Contains(conditions, row) {
				conditions = append(conditions, row)
			}
		}
		if v := value(changes[name]); v == nil {
			removes = append(removes, p.path(name))
		} else {
			sets = append(sets, p.path(name)+" = "+p.value(v))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(key)) {
		conditions = append(conditions, "attribute_exists("+p.name(name)+")")
	}
	refusal := ErrNotFound
	for _, still := range expected {
		refusal = ErrConflict
		for _, name := range slices.Sorted(maps.Keys(still)) {
			conditions = append(conditions, p.same(name, still[name]))
		}
	}
	var clauses []string
	if len(sets) > 0 {
		clauses = append(clauses, "SET "+strings.Join(sets, ", "))
	}
	if len(removes) > 0 {
		clauses = append(clauses, "REMOVE "+strings.Join(removes, ", "))
	}
	in := &types.Update{
		TableName:                aws.String(table),
		Key:                      key,
		UpdateExpression:         aws.String(strings.Join(clauses, " ")),
		ConditionExpression:      aws.String(strings.Join(conditions, " AND ")),
		ExpressionAttributeNames: p.names,
	}
	if len(p.values) > 0 {
		in.ExpressionAttributeValues = p.values
	}
	return action{entity, refusal, types.TransactWriteItem{Update: in}}
}

// same holds while an attribute is as it was read.
func (p placeholders) same(name string, v any) string {
	if stored := value(v); stored != nil {
		return p.name(name) + " = " + p.value(stored)
	}
	return "attribute_not_exists(" + p.name(name) + ")"
}

// remove deletes an item; one that is gone already is as good. What is expected must still hold.
func remove(entity, table string, key Item, expected ...values) action {
	p := placeholders{map[string]string{}, Item{}}
	in := &types.Delete{TableName: aws.String(table), Key: key}
	var conditions []string
	for _, still := range expected {
		for _, name := range slices.Sorted(maps.Keys(still)) {
			conditions = append(conditions, p.same(name, still[name]))
		}
	}
	if len(conditions) > 0 {
		in.ConditionExpression = aws.String(strings.Join(conditions, " AND "))
		in.ExpressionAttributeNames = p.names
	}
	if len(p.values) > 0 {
		in.ExpressionAttributeValues = p.values
	}
	return action{entity, ErrConflict, types.TransactWriteItem{Delete: in}}
}

// replace puts an item over the one that was read before; what is expected must still hold.
func replace(entity, table string, item Item, expected values) action {
	still := remove(entity, table, nil, expected).item.Delete
	return action{entity, ErrConflict, types.TransactWriteItem{Put: &types.Put{
		TableName:                 aws.String(table),
		Item:                      item,
		ConditionExpression:       still.ConditionExpression,
		ExpressionAttributeNames:  still.ExpressionAttributeNames,
		ExpressionAttributeValues: still.ExpressionAttributeValues,
	}}}
}

// merged has the entries of both.
func merged[V any](a, b map[string]V) map[string]V {
	all := map[string]V{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// onlyIf demands more of the stored item.
func onlyIf(a action, condition string, names map[string]string, given values) action {
	demand := func(before **string, placeholders *map[string]string, all *map[string]types.AttributeValue) {
		if *before != nil {
			condition = **before + " AND " + condition
		}
		*before = aws.String(condition)
		*placeholders = merged(*placeholders, names)
		if len(*all)+len(given) > 0 {
			*all = merged(*all, given.item())
		}
	}
	if in := a.item.Put; in != nil {
		demand(&in.ConditionExpression, &in.ExpressionAttributeNames, &in.ExpressionAttributeValues)
	}
	if in := a.item.Update; in != nil {
		demand(&in.ConditionExpression, &in.ExpressionAttributeNames, &in.ExpressionAttributeValues)
	}
	if in := a.item.Delete; in != nil {
		demand(&in.ConditionExpression, &in.ExpressionAttributeNames, &in.ExpressionAttributeValues)
	}
	a.refusal = ErrConditionNotMet
	return a
}

// increase adds to numbers of the item that an update changes.
func increase(a action, by values) action {
	in := a.item.Update
	names := map[string]string{}
	given := values{}
	var sums []string
	before := aws.ToString(in.UpdateExpression)
	first := strings.Count(before, ":add")
	for i, name := range slices.Sorted(maps.Keys(by)) {
		i += first
		names[fmt.Sprintf("#add%d", i)] = name
		given[fmt.Sprintf(":add%d", i)] = by[name]
		sums = append(sums, fmt.Sprintf("#add%d :add%d", i, i))
	}
	clause := " ADD "
	if first > 0 {
		clause = ", "
	}
	in.UpdateExpression = aws.String(strings.TrimSpace(before + clause + strings.Join(sums, ", ")))
	in.ExpressionAttributeNames = merged(in.ExpressionAttributeNames, names)
	in.ExpressionAttributeValues = merged(in.ExpressionAttributeValues, given.item())
	return a
}

// moveLock keeps a value unique: the lock of the old one goes, that of the new one must not be there yet.
func moveLock(entity, table string, before, after any, names ...string) []action {
	if before == after {
		return nil
	}
	keyOf := func(text any) Item {
		key := Item{}
		for _, name := range names {
			key[name] = value(text)
		}
		return key
	}
	var actions []action
	if before != nil {
		actions = append(actions, remove(entity, table, keyOf(before)))
	}
	if after != nil {
		actions = append(actions, put(entity, table, keyOf(after), names[0]))
	}
	return actions
}

// moveSecond keeps a row's second item where its key says. A key without one of its attributes is none.
func moveSecond(entity, table string, before values, item Item, names ...string) []action {
	old := before.item()
	isThere := func(item Item) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return item[name] == nil })
	}
	var actions []action
	stays := isThere(old) && sameRow(old, item, names)
	if isThere(old) && !stays {
		actions = append(actions, remove(entity, table, old))
	}
	switch {
	case stays:
		actions = append(actions, put(entity, table, item))
	case isThere(item):
		actions = append(actions, put(entity, table, item, names[0]))
	}
	return actions
}

// updateSecond changes the second item of a row that has one.
func updateSecond(entity, table string, key, changes values) []action {
	item := key.item()
	if len(item) < len(key) {
		return nil
	}
	return []action{update(entity, table, item, changes)}
}

// unchanged lets the transaction hold only while these attributes are as they were read.
func unchanged(entity, table string, key Item, expected values) action {
	still := remove(entity, table, key, expected).item.Delete
	return action{entity, ErrConflict, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName:                 still.TableName,
		Key:                       key,
		ConditionExpression:       still.ConditionExpression,
		ExpressionAttributeNames:  still.ExpressionAttributeNames,
		ExpressionAttributeValues: still.ExpressionAttributeValues,
	}}}
}

// asValues is an item as what an expression compares.
func asValues(item Item) values {
	all := values{}
	for name, v := range item {
		all[name] = v
	}
	return all
}

// move changes an item that was read; where its key changes, it is deleted and put again.
func move(entity, table string, before, key, newKey Item, changes values) []action {
	names := slices.Sorted(maps.Keys(newKey))
	if sameRow(key, newKey, names) {
		return []action{update(entity, table, key, changes, asValues(before))}
	}
	item := maps.Clone(before)
	for name, v := range changes {
		if item[name] = value(v); item[name] == nil {
			delete(item, name)
		}
	}
	maps.Copy(item, newKey)
	return []action{remove(entity, table, key, asValues(before)), put(entity, table, item, names[0])}
}

// demand refuses a write whose condition does not hold of what was read.
func demand(entity string, tests ...bool) error {
	if slices.Contains(tests, false) {
		return fmt.Errorf("%s %w", entity, ErrConditionNotMet)
	}
	return nil
}

// sum is exact; what is no number counts as 0.
func sum(a, b string) Number {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	if !okX {
		x = new(big.Rat)
	}
	if !okY {
		y = new(big.Rat)
	}
	exact := x.Add(x, y)
	digits, _ := exact.FloatPrec()
	return Number(exact.FloatString(digits))
}

// added is a number of an item and what comes to it; an absent one counts as 0.
func added(before any, by Number) Number {
	if n, ok := value(before).(*types.AttributeValueMemberN); ok {
		return sum(n.Value, string(by))
	}
	return by
}

// ref is a pointer to a value.
func ref[T any](v T) *T { return &v }

// total is what a sum or count of another item changes by.
type total struct {
	entity, table string
	key           Item
	by            map[string]Number
}

// changeSet has actions that are written together, and what they add to sums and counts of other items.
type changeSet struct {
	actions []action
	totals  []*total
}

const actionsMax = 100

func (c *changeSet) add(actions ...action) { c.actions = append(c.actions, actions...) }

func (c *changeSet) addTo(entity, table string, key Item, name string, by any) {
	c.change(entity, table, key, name, added(by, "0"))
}

func (c *changeSet) takeFrom(entity, table string, key Item, name string, by any) {
	if n := added(by, "0"); strings.HasPrefix(string(n), "-") {
		c.change(entity, table, key, name, n[1:])
	} else {
		c.change(entity, table, key, name, "-"+n)
	}
}

func (c *changeSet) change(entity, table string, key Item, name string, by Number) {
	at := slices.IndexFunc(c.totals, func(one *total) bool {
		return one.table == table && sameRow(one.key, key, slices.Sorted(maps.Keys(key)))
	})
	if at < 0 {
		at = len(c.totals)
		c.totals = append(c.totals, &total{entity, table, key, map[string]Number{}})
	}
	c.totals[at].by[name] = sum(string(c.totals[at].by[name]), string(by))
}

// finished has all actions. What a total changes by joins the action on its item, if there is one.
func (c *changeSet) finished() []action {
	var actions []action
	for _, one := range c.actions {
		check := one.item.ConditionCheck
		again := check != nil && slices.ContainsFunc(actions, func(other action) bool {
			return writesItem(other, aws.ToString(check.TableName), check.Key)
		})
		if !again {
			actions = append(actions, one)
		}
	}
	for _, one := range c.totals {
		by := values{}
		for name, n := range one.by {
			if n != "0" {
				by[name] = n
			}
		}
		if len(by) == 0 {
			continue
		}
		at := slices.IndexFunc(actions, func(a action) bool { return writesItem(a, one.table, one.key) })
		if at < 0 {
			actions = append(actions, increase(update(one.entity, one.table, one.key, values{}), by))
		} else {
			actions[at] = including(actions[at], by)
		}
	}
	return actions
}

func (c *changeSet) write(ctx context.Context, db DB) error { return write(ctx, db, c.finished()...) }

// writeInGroups is one transaction, or several if there are more actions than one can have, in their order.
func (c *changeSet) writeInGroups(ctx context.Context, db DB) error {
	for group := range slices.Chunk(c.finished(), actionsMax) {
		if err := write(ctx, db, group...); err != nil {
			return err
		}
	}
	return nil
}

func writesItem(a action, table string, key Item) bool {
	var own Item
	var name *string
	switch in := a.item; {
	case in.Put != nil:
		own, name = in.Put.Item, in.Put.TableName
	case in.Update != nil:
		own, name = in.Update.Key, in.Update.TableName
	case in.Delete != nil:
		own, name = in.Delete.Key, in.Delete.TableName
	case in.ConditionCheck != nil:
		own, name = in.ConditionCheck.Key, in.ConditionCheck.TableName
	}
	return aws.ToString(name) == table && sameRow(own, key, slices.Sorted(maps.Keys(key)))
}

// including has totals in the item that an action puts, or added to the item that it changes.
func including(a action, by values) action {
	switch in := a.item; {
	case in.Put != nil:
		for name, n := range by {
			in.Put.Item[name] = value(added(in.Put.Item[name], n.(Number)))
		}
	case in.ConditionCheck != nil:
		a.item = types.TransactWriteItem{Update: &types.Update{
			TableName:                 in.ConditionCheck.TableName,
			Key:                       in.ConditionCheck.Key,
			ConditionExpression:       in.ConditionCheck.ConditionExpression,
			ExpressionAttributeNames:  in.ConditionCheck.ExpressionAttributeNames,
			ExpressionAttributeValues: in.ConditionCheck.ExpressionAttributeValues,
		}}
		return increase(a, by)
	case in.Update != nil:
		return increase(a, by)
	}
	return a
}

// actionsFor makes an action of each row.
func actionsFor[T any](rows []T, make func(row T) action) []action {
	var actions []action
	for _, row := range rows {
		actions = append(actions, make(row))
	}
	return actions
}

// write does one action as it is, several in one transaction: all of them happen, or none.
func write(ctx context.Context, db DB, actions ...action) error {
	var err error
	switch len(actions) {
	case 0:
		return nil
	case 1:
		err = writeOne(ctx, db, actions[0].item)
	default:
		in := &dynamodb.TransactWriteItemsInput{}
		for _, one := range actions {
			in.TransactItems = append(in.TransactItems, one.item)
		}
		_, err = db.TransactWriteItems(ctx, in)
	}
	var failed *types.ConditionalCheckFailedException
	var conflict *types.TransactionConflictException
	var cancelled *types.TransactionCanceledException
	switch {
	case errors.As(err, &failed):
		return actions[0].refused(failed)
	case errors.As(err, &conflict):
		return fmt.Errorf("an item %w: %w", ErrConflict, conflict)
	case errors.As(err, &cancelled):
		return refusalOf(cancelled, actions)
	default:
		return err
	}
}

func writeOne(ctx context.Context, db DB, item types.TransactWriteItem) error {
	var err error
	switch {
	case item.Put != nil:
		_, err = db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName:                 item.Put.TableName,
			Item:                      item.Put.Item,
			ConditionExpression:       item.Put.ConditionExpression,
			ExpressionAttributeNames:  item.Put.ExpressionAttributeNames,
			ExpressionAttributeValues: item.Put.ExpressionAttributeValues,
		})
	case item.Update != nil:
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName:                 item.Update.TableName,
			Key:                       item.Update.Key,
			UpdateExpression:          item.Update.UpdateExpression,
			ConditionExpression:       item.Update.ConditionExpression,
			ExpressionAttributeNames:  item.Update.ExpressionAttributeNames,
			ExpressionAttributeValues: item.Update.ExpressionAttributeValues,
		})
	case item.Delete != nil:
		_, err = db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName:                 item.Delete.TableName,
			Key:                       item.Delete.Key,
			ConditionExpression:       item.Delete.ConditionExpression,
			ExpressionAttributeNames:  item.Delete.ExpressionAttributeNames,
			ExpressionAttributeValues: item.Delete.ExpressionAttributeValues,
		})
	}
	return err
}

func refusalOf(cancelled *types.TransactionCanceledException, actions []action) error {
	conflict := false
	for i, reason := range cancelled.CancellationReasons {
		code := aws.ToString(reason.Code)
		if code == "ConditionalCheckFailed" && i < len(actions) {
			return actions[i].refused(cancelled)
		}
		conflict = conflict || code == "TransactionConflict"
	}
	if conflict {
		return fmt.Errorf("an item %w: %w", ErrConflict, cancelled)
	}
	return cancelled
}

const triesMax = 5

// retrying reads, computes and writes again when another writer was faster.
func retrying(ctx context.Context, work func() error) error {
	for tries := 1; ; tries++ {
		if err := work(); tries == triesMax || !errors.Is(err, ErrConflict) {
			return err
		}
		if err := pause(ctx, tries); err != nil {
			return err
		}
	}
}

// rewriteList changes a list inside an item; nothing that another writer adds meanwhile is lost.
func rewriteList(ctx context.Context, db DB, entity, table string, key Item, name string, change func(rows []Item) []Item) error {
	return retrying(ctx, func() error {
		item, err := getItem(ctx, db, table, key)
		if err != nil {
			return err
		}
		if item == nil {
			return notFound(entity)
		}
		var rows []Item
		if list, ok := item[name].(*types.AttributeValueMemberL); ok {
			for _, one := range list.Value {
				if row, ok := one.(*types.AttributeValueMemberM); ok {
					rows = append(rows, row.Value)
				}
			}
		}
		list := &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
		for _, row := range change(rows) {
			list.Value = append(list.Value, &types.AttributeValueMemberM{Value: row})
		}
		return write(ctx, db, update(entity, table, key, values{name: list}, values{name: item[name]}))
	})
}

// compact has what is not absent.
func compact(row values) values {
	maps.DeleteFunc(row, func(_ string, v any) bool { return value(v) == nil })
	return row
}

func sameRow(a, b Item, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return compare(a[name], b[name]) != 0 })
}

// withRow has the row in place of the one with the same key, or where its key belongs.
func withRow(rows []Item, row values, names ...string) []Item {
	added := append(withoutRow(rows, row, names...), row.item())
	keys := make([]sortKey, len(names))
	for i, name := range names {
		keys[i].of = func(item Item) types.AttributeValue { return item[name] }
	}
	return sorted(added, keys...)
}

func withoutRow(rows []Item, key values, names ...string) []Item {
	wanted := key.item()
	return filter(rows, func(row Item) bool { return !sameRow(row, wanted, names) })
}

// withChanges gives new values to the row with this key.
func withChanges(rows []Item, key, changes values, names ...string) []Item {
	wanted := key.item()
	return keysOf(rows, func(row Item) Item {
		if !sameRow(row, wanted, names) {
			return row
		}
		changed := maps.Clone(row)
		for name, v := range changes {
			if changed[name] = value(v); changed[name] == nil {
				delete(changed, name)
			}
		}
		return changed
	})
}

// ignoringMissing is for an item that may be gone before its copy is written.
func ignoringMissing(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
