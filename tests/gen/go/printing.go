// What the Go scripts share; a copy stands in each generated package.
package generated

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func printLine(line any) {
	text, err := json.Marshal(line)
	check(err)
	fmt.Println(string(text))
}

func oneOf[T any](row *T) []T {
	if row == nil {
		return nil
	}
	return []T{*row}
}

func rowsAs[T any](rows []T, fill func(row T) values) []any {
	all := []any{}
	for _, row := range rows {
		all = append(all, plain(value(fill(row))))
	}
	return all
}

func measured(name string, number any) []any {
	return []any{map[string]any{name: number}}
}

func emit(call string, sections ...[]any) {
	printLine(map[string]any{"call": call, "sections": sections})
}

func attempt(call string, err error) {
	outcome := "ok"
	var invalid *InvalidKeyPartError
	switch {
	case errors.As(err, &invalid):
		outcome = "InvalidKeyPart"
	case errors.Is(err, ErrAlreadyExists):
		outcome = "AlreadyExists"
	case errors.Is(err, ErrNotFound):
		outcome = "NotFound"
	case errors.Is(err, ErrConditionNotMet):
		outcome = "ConditionNotMet"
	case errors.Is(err, ErrConflict):
		outcome = "Conflict"
	case err != nil:
		outcome = err.Error()
	}
	printLine(map[string]any{"call": call, "outcome": outcome})
}

func ptr[T any](v T) *T { return &v }
