package generated

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DB is what the Store needs of a *dynamodb.Client.
type DB interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

// Item is an item, or its key, as DynamoDB stores it.
type Item = map[string]types.AttributeValue

// Number keeps all 38 digits that DynamoDB has; Int64 and Float64 give Go's own.
type Number = json.Number

// ---- Keys

// after sorts behind every text that begins with prefix.
func after(prefix string) string { return prefix + "\U0010ffff" }

// InvalidKeyPartError is about a value that would make another key than its own.
type InvalidKeyPartError struct {
	Attribute, Value, Reason string
}

func (e *InvalidKeyPartError) Error() string {
	return e.Attribute + " cannot be part of a key: it " + e.Reason
}

// keyCheck remembers the first part of a key that is refused.
type keyCheck struct{ err error }

// part refuses a part that is empty, or that would be read as something else: one that contains the text behind it, and what
// the rules say of both together; the first of them is that text. "*x": contains x; "^x": begins with x; "=x": is x; "<x": x
// begins with it; "@0000-00-00": does not begin in this form, which "*" skips.
func (k *keyCheck) part(attribute, text string, nextAndRules ...string) {
	refuse := func(reason string) {
		if k.err == nil {
			k.err = &InvalidKeyPartError{attribute, text, reason}
		}
	}
	if text == "" {
		refuse("is empty")
		return
	}
	if len(nextAndRules) == 0 {
		return
	}
	next, from := nextAndRules[0], 0
	whole := text + next
	for _, rule := range append(slices.Clone(nextAndRules[1:]), "*"+next) {
		what := rule[1:]
		if what == "" {
			continue
		}
		switch rule[0] {
		case '@':
			if !hasForm(text, what) {
				refuse("does not begin in the form " + what)
				return
			}
			from = len(what)
		case '^':
			if strings.HasPrefix(whole, what) {
				refuse("begins with " + strconv.Quote(what))
			}
		case '=':
			if whole == what {
				refuse("makes " + strconv.Quote(what))
			}
		case '<':
			if strings.HasPrefix(what, whole) {
				refuse("could go on as " + strconv.Quote(what))
			}
		default:
			if at := strings.Index(whole[from:], what); at >= 0 && at+from < len(text) {
				refuse("contains " + strconv.Quote(what))
			}
		}
	}
}

func (k *keyCheck) key(text string) (string, error) {
	if k.err != nil {
		return "", k.err
	}
	return text, nil
}

// hasForm says whether the text begins in a form such as 0000-00-00, 0 for a digit.
func hasForm(text, form string) bool {
	if len(text) < len(form) {
		return false
	}
	start := strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return '0'
		}
		return c
	}, text[:len(form)])
	return start == form
}

// must gives up the function at hand; refused makes it return the error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// refused is deferred: what must gave up becomes the error of the function.
func refused(err *error) {
	switch cause := recover().(type) {
	case nil:
	case *InvalidKeyPartError:
		*err = cause
	default:
		panic(cause)
	}
}

// orRefused is what make makes, or why it gave up.
func orRefused[T any](make func() T) (made T, err error) {
	defer refused(&err)
	return make(), nil
}

func part[T string | Number | bool](v T) string {
	switch v := any(v).(type) {
	case bool:
		return strconv.FormatBool(v)
	case Number:
		return plainNumber(v)
	default:
		return v.(string)
	}
}

// plainNumber writes a number as keys do: without exponent and trailing zeros.
func plainNumber(n Number) string {
	exact, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return string(n)
	}
	digits, _ := exact.FloatPrec()
	return exact.FloatString(digits)
}

// padded has zeros in front, so that text order is number order.
func padded[T string | Number](v T, width int) string {
	text := part(v)
	if text == "" {
		return ""
	}
	return strings.Repeat("0", max(0, width-len(text))) + text
}

// lower changes the letters A to Z only, as the table's keys do.
func lower(text string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			return c - 'A' + 'a'
		}
		return c
	}, text)
}

// upper changes the letters a to z only, as the table's keys do.
func upper(text string) string {
	return strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' {
			return c - 'a' + 'A'
		}
		return c
	}, text)
}

// beginning has so many characters.
func beginning(text string, count int) string {
	return string([]rune(text)[:min(count, len([]rune(text)))])
}

// beginningOf is the same of a text that may be absent.
func beginningOf(v any, count int) types.AttributeValue {
	if text, ok := value(v).(*types.AttributeValueMemberS); ok {
		return value(beginning(text.Value, count))
	}
	return value(v)
}

// countedDown counts down from nines, so that the largest sorts first; nothing for a number that has no such key.
func countedDown(n Number, digits int) string {
	text := part(n)
	if text == "" || len(text) > digits || strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return strings.Map(func(c rune) rune { return '0' + '9' - c }, padded(text, digits))
}

// shardOf is the shard that a value belongs to: FNV-1a of its text.
func shardOf[T string | Number | bool](v T, count uint64) string {
	hash := uint64(14695981039346656037)
	for _, c := range []byte(part(v)) {
		hash = (hash ^ uint64(c)) * 1099511628211
	}
	return strconv.FormatUint(hash%count, 10)
}

// readKey gives the attributes of a key from the texts around them; nil if it is another key.
func readKey(v types.AttributeValue, literals []string) []string {
	key, ok := v.(*types.AttributeValueMemberS)
	if !ok {
		return nil
	}
	rest, ok := strings.CutPrefix(key.Value, literals[0])
	if !ok {
		return nil
	}
	parts := []string{}
	for _, literal := range literals[1:] {
		end := len(rest)
		if literal != "" {
			end = strings.Index(rest, literal)
		}
		if end <= 0 {
			return nil
		}
		parts = append(parts, rest[:end])
		rest = rest[end+len(literal):]
	}
	if rest != "" {
		return nil
	}
	return parts
}

// keyPart is an attribute that is kept in a key only.
func keyPart(item Item, name string, index int, literals ...string) types.AttributeValue {
	if parts := readKey(item[name], literals); parts != nil {
		return &types.AttributeValueMemberS{Value: parts[index]}
	}
	return nil
}

// asNumber is the number that a part of a key stands for.
func asNumber(v types.AttributeValue) types.AttributeValue {
	if text, ok := v.(*types.AttributeValueMemberS); ok {
		return value(Number(plainNumber(Number(text.Value))))
	}
	return v
}

// asBool is the truth value that a part of a key stands for.
func asBool(v types.AttributeValue) types.AttributeValue {
	if text, ok := v.(*types.AttributeValueMemberS); ok {
		return value(text.Value == "true")
	}
	return v
}

// layout tells the items of an entity from others by their keys.
type layout struct {
	entity, typeValue string
	keys              []keyLayout
}

// keyLayout has the texts around the parts of a key; none: any value.
type keyLayout struct {
	attribute string
	literals  []string
}

func (l layout) fits(item Item) bool {
	return !slices.ContainsFunc(l.keys, func(key keyLayout) bool {
		v, ok := item[key.attribute]
		return !ok || key.literals != nil && readKey(v, key.literals) == nil
	})
}

// entityOf says whose item it is: by its type attribute, else by the first layout that its keys fit.
func entityOf(item Item, layouts []layout, typeAttribute string) string {
	if v, ok := item[typeAttribute].(*types.AttributeValueMemberS); ok {
		for _, l := range layouts {
			if l.typeValue == v.Value {
				return l.entity
			}
		}
	}
	for _, l := range layouts {
		if l.fits(item) {
			return l.entity
		}
	}
	return ""
}

// ---- Values

// values are attributes in Go's own types; absent ones are nil.
type values map[string]any

// item has only what is not absent.
func (v values) item() Item {
	item := Item{}
	for name, one := range v {
		if stored := value(one); stored != nil {
			item[name] = stored
		}
	}
	return item
}

// value is how DynamoDB stores a value; nil if there is none.
func value(v any) types.AttributeValue {
	switch v := v.(type) {
	case types.AttributeValue:
		return v
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case Number:
		return &types.AttributeValueMemberN{Value: string(v)}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}
	case *string:
		return pointed(v)
	case *Number:
		return pointed(v)
	case *bool:
		return pointed(v)
	case []byte:
		if v != nil {
			return &types.AttributeValueMemberB{Value: v}
		}
	case []string:
		if len(v) > 0 {
			return &types.AttributeValueMemberSS{Value: v}
		}
	case []Number:
		if len(v) > 0 {
			texts := make([]string, len(v))
			for i, one := range v {
				texts[i] = string(one)
			}
			return &types.AttributeValueMemberNS{Value: texts}
		}
	case []any:
		if v != nil {
			list := make([]types.AttributeValue, len(v))
			for i, one := range v {
				list[i] = value(one)
			}
			return &types.AttributeValueMemberL{Value: list}
		}
	case map[string]any:
		if v != nil {
			return &types.AttributeValueMemberM{Value: values(v).item()}
		}
	case values:
		return &types.AttributeValueMemberM{Value: v.item()}
	}
	return nil
}

func pointed[T any](v *T) types.AttributeValue {
	if v == nil {
		return nil
	}
	return value(*v)
}

// plain is the opposite of value.
func plain(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return Number(v.Value)
	case *types.AttributeValueMemberBOOL:
		return v.Value
	case *types.AttributeValueMemberB:
		return v.Value
	case *types.AttributeValueMemberSS:
		return v.Value
	case *types.AttributeValueMemberNS:
		numbers := make([]Number, len(v.Value))
		for i, one := range v.Value {
			numbers[i] = Number(one)
		}
		return numbers
	case *types.AttributeValueMemberL:
		list := make([]any, len(v.Value))
		for i, one := range v.Value {
			list[i] = plain(one)
		}
		return list
	case *types.AttributeValueMemberM:
		all := make(map[string]any, len(v.Value))
		for name, one := range v.Value {
			all[name] = plain(one)
		}
		return all
	default:
		return nil
	}
}

// as is the value in a type of Go, or that type's zero value.
func as[T any](v types.AttributeValue) T {
	typed, _ := plain(v).(T)
	return typed
}

// find is nil if there is no such value.
func find[T any](v types.AttributeValue) *T {
	if typed, ok := plain(v).(T); ok {
		return &typed
	}
	return nil
}

// reader remembers the first attribute that an item should have and has not.
type reader struct{ missing string }

func get[T any](r *reader, name string, v types.AttributeValue) T {
	typed, ok := plain(v).(T)
	if !ok && r.missing == "" {
		r.missing = name
	}
	return typed
}

func rowsOf[T any](items []Item, read func(r *reader, i int, item Item) T) ([]T, error) {
	r := &reader{}
	rows := make([]T, len(items))
	for i, item := range items {
		rows[i] = read(r, i, item)
	}
	if r.missing != "" {
		return nil, fmt.Errorf("an item has no %s", r.missing)
	}
	return rows, nil
}

// first is nil if there are none.
func first[T any](rows []T, err error) (*T, error) {
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// whenPresent makes a key if all of what it needs is there.
func whenPresent(key func() string, needed ...any) any {
	for _, one := range needed {
		if stored := value(one); stored == nil || plain(stored) == "" {
			return nil
		}
	}
	return key()
}

// compare sorts as DynamoDB does: texts by their bytes, numbers by value, absent ones first.
func compare(a, b types.AttributeValue) int {
	switch x := a.(type) {
	case *types.AttributeValueMemberS:
		if y, ok := b.(*types.AttributeValueMemberS); ok {
			return strings.Compare(x.Value, y.Value)
		}
	case *types.AttributeValueMemberN:
		if y, ok := b.(*types.AttributeValueMemberN); ok {
			return compareNumbers(x.Value, y.Value)
		}
	case *types.AttributeValueMemberB:
		if y, ok := b.(*types.AttributeValueMemberB); ok {
			return bytes.Compare(x.Value, y.Value)
		}
	case *types.AttributeValueMemberBOOL:
		if y, ok := b.(*types.AttributeValueMemberBOOL); ok {
			return strings.Compare(part(x.Value), part(y.Value))
		}
	}
	rank := func(v types.AttributeValue) int {
		if v == nil {
			return 0
		}
		return 1
	}
	return cmp.Compare(rank(a), rank(b))
}

func compareNumbers(a, b string) int {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	if !okX || !okY {
		return strings.Compare(a, b)
	}
	return x.Cmp(y)
}

func least(all ...any) types.AttributeValue {
	return slices.MinFunc(stored(all), compare)
}

func greatest(all ...any) types.AttributeValue {
	return slices.MaxFunc(stored(all), compare)
}

func stored(all []any) []types.AttributeValue {
	out := make([]types.AttributeValue, len(all))
	for i, one := range all {
		out[i] = value(one)
	}
	return out
}

// matches is a condition that the keys do not serve; an absent value meets those that ask for another one only.
func matches(v types.AttributeValue, test string, operands ...any) bool {
	if v == nil {
		return test == "not exists" || test == "<>"
	}
	if test == "exists" || test == "not exists" {
		return test == "exists"
	}
	others := stored(operands)
	order := func(i int) int { return compare(v, others[i]) }
	switch test {
	case "=":
		return order(0) == 0
	case "<>":
		return order(0) != 0
	case "<":
		return order(0) < 0
	case "<=":
		return order(0) <= 0
	case ">":
		return order(0) > 0
	case ">=":
		return order(0) >= 0
	case "between":
		return order(0) >= 0 && order(1) <= 0
	case "in":
		return slices.ContainsFunc(others, func(one types.AttributeValue) bool { return compare(v, one) == 0 })
	case "begins_with":
		return strings.HasPrefix(as[string](v), as[string](others[0]))
	default:
		return contains(v, others[0])
	}
}

// matchesBeginning is the same for the first characters of both sides.
func matchesBeginning(v types.AttributeValue, count int, test string, operands ...any) bool {
	others := make([]any, len(operands))
	for i, one := range operands {
		others[i] = beginningOf(one, count)
	}
	return matches(beginningOf(v, count), test, others...)
}

func contains(v, wanted types.AttributeValue) bool {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return strings.Contains(v.Value, as[string](wanted))
	case *types.AttributeValueMemberSS:
		return slices.Contains(v.Value, as[string](wanted))
	case *types.AttributeValueMemberNS:
		return slices.ContainsFunc(v.Value, func(one string) bool { return compareNumbers(one, string(as[Number](wanted))) == 0 })
	case *types.AttributeValueMemberL:
		return slices.ContainsFunc(v.Value, func(one types.AttributeValue) bool { return one != nil && compare(one, wanted) == 0 })
	default:
		return false
	}
}

// ---- Items

func filter(items []Item, keep func(Item) bool) []Item {
	var kept []Item
	for _, item := range items {
		if keep(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

func count(items []Item, counts func(Item) bool) int { return len(filter(items, counts)) }

func atMost(items []Item, limit int) []Item { return items[:min(limit, len(items))] }

func keysOf(items []Item, key func(item Item) Item) []Item {
	keys := make([]Item, len(items))
	for i, item := range items {
		keys[i] = key(item)
	}
	return keys
}

// sortKey is what rows are sorted by.
type sortKey struct {
	of         func(item Item) types.AttributeValue
	descending bool
}

func sorted(items []Item, keys ...sortKey) []Item {
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b Item) int {
		for _, key := range keys {
			order := compare(key.of(a), key.of(b))
			if key.descending {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return 0
	})
	return out
}

// sumOf is the exact sum; what is no number adds nothing.
func sumOf(items []Item, of func(item Item) types.AttributeValue) Number {
	total := Number("0")
	for _, item := range items {
		if n, ok := of(item).(*types.AttributeValueMemberN); ok {
			total = sum(string(total), n.Value)
		}
	}
	return total
}

// rowsInside are the rows inside a list or map of an item, each with what parent takes from the item
// around it. The keys of a map become the attribute by; plain values of a list are called member.
func rowsInside(items []Item, name, by, member string, parent func(item Item) values) []Item {
	var rows []Item
	add := func(item Item, inside types.AttributeValue) Item {
		row := parent(item).item()
		if member != "" {
			row[member] = inside
		} else if members, ok := inside.(*types.AttributeValueMemberM); ok {
			maps.Copy(row, members.Value)
		}
		rows = append(rows, row)
		return row
	}
	for _, item := range items {
		switch inside := item[name].(type) {
		case *types.AttributeValueMemberL:
			for _, one := range inside.Value {
				add(item, one)
			}
		case *types.AttributeValueMemberM:
			for _, key := range slices.Sorted(maps.Keys(inside.Value)) {
				add(item, inside.Value[key])[by] = value(key)
			}
		}
	}
	return rows
}

// ---- Requests

// getItem is nil if there is none.
func getItem(ctx context.Context, db DB, table string, key Item) (Item, error) {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(table), Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

func getItems(ctx context.Context, db DB, in *dynamodb.GetItemInput) ([]Item, error) {
	out, err := db.GetItem(ctx, in)
	if err != nil || out.Item == nil {
		return nil, err
	}
	return []Item{out.Item}, nil
}

// queryAll reads all pages of a Query, or as many as enough asks for.
func queryAll(ctx context.Context, db DB, in *dynamodb.QueryInput, enough func(found []Item) bool) ([]Item, error) {
	var items []Item
	pages := dynamodb.NewQueryPaginator(db, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, page.Items...)
		if enough != nil && enough(items) {
			break
		}
	}
	return items, nil
}

// countAll is how many items a Query finds; DynamoDB counts them.
func countAll(ctx context.Context, db DB, in *dynamodb.QueryInput) (int, error) {
	counted := 0
	pages := dynamodb.NewQueryPaginator(db, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return 0, err
		}
		counted += int(page.Count)
	}
	return counted, nil
}

// scanAll reads all pages of a Scan.
func scanAll(ctx context.Context, db DB, in *dynamodb.ScanInput) ([]Item, error) {
	var items []Item
	pages := dynamodb.NewScanPaginator(db, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, page.Items...)
	}
	return items, nil
}

// PageOptions says which page to read.
type PageOptions struct {
	Limit  int32 // Items that DynamoDB looks at for this page; 0: as many as fit.
	Cursor Item  // From the page before; nil for the first one.
}

// Page is a part of an answer.
type Page[T any] struct {
	Rows   []T
	Cursor Item // Nil when there is nothing more.
}

func queryPage(ctx context.Context, db DB, in *dynamodb.QueryInput, page PageOptions) ([]Item, Item, error) {
	if page.Limit > 0 {
		in.Limit = aws.Int32(page.Limit)
	}
	in.ExclusiveStartKey = page.Cursor
	out, err := db.Query(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	return out.Items, out.LastEvaluatedKey, nil
}

func shards(count int) []int {
	all := make([]int, count)
	for i := range all {
		all[i] = i
	}
	return all
}

// inParallel sends the same request for each different value or shard, all at once.
func inParallel[T comparable](all []T, read func(one T) ([]Item, error)) ([]Item, error) {
	var different []T
	for _, one := range all {
		if !slices.Contains(different, one) {
			different = append(different, one)
		}
	}
	answers := make([][]Item, len(different))
	errs := make([]error, len(different))
	var wait sync.WaitGroup
	for i, one := range different {
		wait.Add(1)
		go func() {
			defer wait.Done()
			defer refused(&errs[i])
			answers[i], errs[i] = read(one)
		}()
	}
	wait.Wait()
	return slices.Concat(answers...), errors.Join(errs...)
}

const batchMax = 100

// batchGet has items in the order of their keys; nil where there is none.
func batchGet(ctx context.Context, db DB, table string, keys []Item, consistent bool) ([]Item, error) {
	left := distinct(keys)
	found := map[string]Item{}
	tries := 0
	for len(left) > 0 {
		batch := left[:min(batchMax, len(left))]
		left = left[len(batch):]
		out, err := db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			table: {Keys: batch, ConsistentRead: aws.Bool(consistent)},
		}})
		if err != nil {
			return nil, err
		}
		for _, item := range out.Responses[table] {
			found[idOf(item, keys[0])] = item
		}
		again := out.UnprocessedKeys[table].Keys
		left = slices.Concat(again, left)
		if len(again) == 0 {
			tries = 0
			continue
		}
		tries++
		if err := pause(ctx, tries); err != nil {
			return nil, err
		}
	}
	return keysOf(keys, func(key Item) Item { return found[idOf(key, key)] }), nil
}

// withRest has each item with what the row's other item holds; nil where that is gone and needed.
func withRest(ctx context.Context, db DB, table string, items, keys []Item, needed, consistent bool) ([]Item, error) {
	others, err := batchGet(ctx, db, table, keys, consistent)
	if err != nil {
		return nil, err
	}
	all := make([]Item, len(items))
	for i, item := range items {
		if others[i] == nil && needed {
			continue
		}
		all[i] = Item{}
		maps.Copy(all[i], others[i])
		maps.Copy(all[i], item)
	}
	return all, nil
}

// pause is a back-off with full jitter: up to 40 ms, then twice as long each time, up to 1 s.
func pause(ctx context.Context, tries int) error {
	longest := min(time.Second, 20*time.Millisecond<<min(tries, 10))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(rand.N(longest)):
		return nil
	}
}

// idOf is a text for the attributes of an item that key names.
func idOf(item, key Item) string {
	var id strings.Builder
	for _, name := range slices.Sorted(maps.Keys(key)) {
		v := plain(item[name])
		if number, ok := v.(Number); ok {
			v = plainNumber(number)
		}
		fmt.Fprintf(&id, "%q=%q ", name, fmt.Sprint(v))
	}
	return id.String()
}

func present(items []Item) []Item {
	return filter(items, func(item Item) bool { return item != nil })
}

// distinct has each key once, in the order in which it came first.
func distinct(keys []Item) []Item {
	seen := map[string]bool{}
	return filter(keys, func(key Item) bool {
		id := idOf(key, key)
		defer func() { seen[id] = true }()
		return !seen[id]
	})
}
