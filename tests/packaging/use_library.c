/* A program that uses the C library as the header describes it. Compiled as C99 and as C++ by library_test.py, and run against the shared library. */
#include <prejoin/prejoin.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char *what) {
  if (!holds) {
    printf("failed: %s\n", what);
    ++failures;
  }
}

static void call(prejoin_database *database, const char *operation, const char *body, int status, const char *part) {
  char *answer = NULL;
  size_t bytes = 0;
  const int got = prejoin_call(database, operation, body, strlen(body), &answer, &bytes);
  if (got != status || answer == NULL || strlen(answer) != bytes || strstr(answer, part) == NULL) {
    printf("%s: status %d, answer %s\n", operation, got, answer == NULL ? "(none)" : answer);
    ++failures;
  }
  prejoin_free(answer);
}

int main(void) {
  prejoin_database *database = NULL;
  prejoin_database *fork = NULL;
  prejoin_snapshot *snapshot = NULL;
  char *error = NULL;
  const char *get = "{\"TableName\":\"Music\",\"Key\":{\"Artist\":{\"S\":\"a\"}}}";

  expect(prejoin_abi_version() >= PREJOIN_ABI_VERSION, "the library is as new as the header");
  expect(prejoin_open("{\"pth\":\"x\"}", &database, &error) != 0 && error != NULL, "an unknown option is refused");
  prejoin_free(error);
  expect(prejoin_open("{}", &database, &error) == 0 && error == NULL, "a database in memory opens");
  call(database, "CreateTable",
       "{\"TableName\":\"Music\",\"BillingMode\":\"PAY_PER_REQUEST\",\"KeySchema\":[{\"AttributeName\":\"Artist\",\"KeyType\":\"HASH\"}],"
       "\"AttributeDefinitions\":[{\"AttributeName\":\"Artist\",\"AttributeType\":\"S\"}]}",
       200, "\"TableName\":\"Music\"");
  call(database, "DynamoDB_20120810.PutItem", "{\"TableName\":\"Music\",\"Item\":{\"Artist\":{\"S\":\"a\"},\"Year\":{\"N\":\"2015\"}}}", 200, "{");
  expect(prejoin_snapshot_take(database, &snapshot, &error) == 0, "a snapshot is taken");
  call(database, "DeleteItem", get, 200, "{");
  call(database, "GetItem", get, 200, "{}");
  expect(prejoin_snapshot_open(snapshot, &fork, &error) == 0, "a snapshot opens as a database");
  call(fork, "GetItem", get, 200, "2015");
  expect(prejoin_snapshot_restore(database, snapshot, &error) == 0, "a database is put back");
  call(database, "GetItem", get, 200, "2015");
  call(database, "GetItem", "{}", 400, "ValidationException");
  prejoin_snapshot_free(snapshot);
  prejoin_close(fork);
  prejoin_close(database);
  printf("%s, ABI %d: %d failures\n", prejoin_version(), prejoin_abi_version(), failures);
  return failures != 0;
}
