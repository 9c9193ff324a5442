/* Prejoin as a C library: a DynamoDB-compatible database inside your process, request bytes in, answer bytes out.

     prejoin_database *database = NULL;
     char *error = NULL;
     if (prejoin_open("{}", &database, &error) != 0) { ... error ... prejoin_free(error); }

     char *answer = NULL;
     size_t answer_bytes = 0;
     const char *body = "{\"TableName\": \"Music\", \"Key\": {\"Artist\": {\"S\": \"No One You Know\"}}}";
     int status = prejoin_call(database, "GetItem", body, strlen(body), &answer, &answer_bytes);
     ... status is 200, or 400 and the answer names the exception, as DynamoDB's own ...
     prejoin_free(answer);
     prejoin_close(database);

   Link with -lprejoin (pkg-config: prejoin). Only names that begin with prejoin_ are exported. No function throws, prints or
   changes signal handlers. What a function returns through a char** is freed with prejoin_free, whoever allocated it is no concern of
   the caller. Functions are added and never changed: see PREJOIN_ABI_VERSION. docs/c-library.md has more. */
#ifndef PREJOIN_PREJOIN_H_
#define PREJOIN_PREJOIN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PREJOIN_API __attribute__((visibility("default")))
#else
#define PREJOIN_API
#endif

/* Rises when a function is added; programs compiled with an older header go on working. The library's name changes (libprejoin.so.2) if
   that ever has to end. */
#define PREJOIN_ABI_VERSION 1

/* A database. All functions may be called with it from any number of threads at once, except prejoin_close. */
typedef struct prejoin_database prejoin_database;

/* The contents of a database at one moment. Never changes; safe to use from any number of threads at once. */
typedef struct prejoin_snapshot prejoin_snapshot;

/* PREJOIN_ABI_VERSION of the library, which may be newer than the header's. */
PREJOIN_API int prejoin_abi_version(void);
/* "0.1.0": the version of Prejoin. Not to be freed. */
PREJOIN_API const char *prejoin_version(void);

/* Opens a database. `options` is a JSON object; null and "{}" mean a new database in memory. Members, all optional:
     "path"       directory of the database, created if missing; without it, all data is in memory and lost with prejoin_close
     "sync"       "always" (default): a write is answered after its log is on disk; "none": at once
     "region"     region in ARNs; default "us-east-1"
     "account"    account in ARNs; default "123456789012"
     "cache_mb"   block cache of a database on disk; default 256
     "ttl_sweep_seconds"  seconds between two sweeps for expired items; default 30
   Returns 0, or another number, with a message in *error. `error` may be null. */
PREJOIN_API int prejoin_open(const char *options, prejoin_database **database, char **error);

/* Ends background work and closes the database. No other call on it may be under way. Null is allowed. */
PREJOIN_API void prejoin_close(prejoin_database *database);

/* Runs one request of the DynamoDB API. `operation` is its name ("PutItem"), or the value of the X-Amz-Target header
   ("DynamoDB_20120810.PutItem"); `body` is the JSON of the request. Returns the HTTP status that DynamoDB would answer with; the body of
   that answer is in *answer, followed by a zero byte that *answer_bytes does not count. When the function returns, a write is as
   durable as "sync" says. Without memory for the answer, *answer is null and the status 500. */
PREJOIN_API int prejoin_call(prejoin_database *database, const char *operation, const char *body, size_t body_bytes, char **answer,
                             size_t *answer_bytes);

/* Takes a snapshot of a database in memory. It costs the same whatever the size of the database, and shares memory with it. Waits for
   calls that are under way, and for index builds. Returns as prejoin_open does. */
PREJOIN_API int prejoin_snapshot_take(prejoin_database *database, prejoin_snapshot **snapshot, char **error);

/* Puts the database back to the snapshot, which may be of another database and serves any number of times. Everything written since
   is gone, tables included. Waits for calls that are under way. If it fails, the database is as it was. Returns as prejoin_open does. */
PREJOIN_API int prejoin_snapshot_restore(prejoin_database *database, const prejoin_snapshot *snapshot, char **error);

/* Opens a new database in memory with the contents of the snapshot and the options that its database was opened with. */
PREJOIN_API int prejoin_snapshot_open(const prejoin_snapshot *snapshot, prejoin_database **database, char **error);

/* Databases that were made of the snapshot stay as they are. Null is allowed. */
PREJOIN_API void prejoin_snapshot_free(prejoin_snapshot *snapshot);

/* Moves the clock of the database forward by that many milliseconds, from the machine's time or from where it was moved before. Expired
   items are deleted, and dates in answers are, by this clock. Numbers below 0 do nothing. */
PREJOIN_API void prejoin_advance_clock(prejoin_database *database, int64_t milliseconds);

/* Frees what a function of this library returned through a char**. Null is allowed. */
PREJOIN_API void prejoin_free(char *text);

#ifdef __cplusplus
}
#endif

#endif /* PREJOIN_PREJOIN_H_ */
