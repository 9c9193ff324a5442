// A Go program that uses the C library through cgo. library_test.py runs it.
package main

/*
#include <prejoin/prejoin.h>
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"
)

type database struct{ handle *C.prejoin_database }

func text(made *C.char) string {
	defer C.prejoin_free(made)
	return C.GoString(made)
}

func open(options string) (database, error) {
	given := C.CString(options)
	defer C.free(unsafe.Pointer(given))
	var opened database
	var problem *C.char
	if C.prejoin_open(given, &opened.handle, &problem) != 0 {
		return opened, fmt.Errorf("%s", text(problem))
	}
	return opened, nil
}

func (one database) call(operation, body string) (int, string) {
	name := C.CString(operation)
	defer C.free(unsafe.Pointer(name))
	bytes := C.CString(body)
	defer C.free(unsafe.Pointer(bytes))
	var answer *C.char
	var length C.size_t
	status := C.prejoin_call(one.handle, name, bytes, C.size_t(len(body)), &answer, &length)
	return int(status), text(answer)
}

func expect(holds bool, what string) {
	if !holds {
		fmt.Println("failed:", what)
		os.Exit(1)
	}
}

func main() {
	_, err := open(`{"pth": "x"}`)
	expect(err != nil && strings.Contains(err.Error(), "pth"), "an unknown option is refused")
	songs, err := open("{}")
	expect(err == nil, "a database in memory opens")
	status, answer := songs.call("CreateTable", `{"TableName": "Songs", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}]}`)
	expect(status == 200, answer)
	var group sync.WaitGroup
	for number := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			status, answer := songs.call("PutItem", fmt.Sprintf(`{"TableName": "Songs", "Item": {"k": {"S": "%d"}}}`, number))
			expect(status == 200, answer)
		}()
	}
	group.Wait()
	_, answer = songs.call("Scan", `{"TableName": "Songs", "Select": "COUNT"}`)
	expect(strings.Contains(answer, `"Count":8`), answer)
	status, answer = songs.call("GetItem", "{}")
	expect(status == 400 && strings.Contains(answer, "ValidationException"), answer)
	C.prejoin_close(songs.handle)
	fmt.Println("0 failures")
}
