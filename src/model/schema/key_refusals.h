// Which values cannot be a part of a key, because the key would read as another one.
//
// A key is read from the left: a part ends where the text after it begins. So `T#{tenant}#{id}` is only safe while no tenant
// contains "#": "a" with "b#1" and "a#b" with "1" are both T#a#b#1. The rules of a part are texts that tell what its value
// must not look like; the first character says how:
//
//   *#ORDER#   the value, with the text after it, contains this before its end. Every text that follows the part in the keys of
//              the same attribute counts, also in those of other entities: with `ORG#{org}` and `ORG#{org}#USER#{user}` in one
//              table, no org contains "#USER#", although nothing follows it in the first.
//   ^ORDER#    the value, with the text after it, begins with this: `{id}` beside `ORDER#{id}`.
//   =PROFILE   the value, with the text after it, is this: `{id}` beside `PROFILE`.
//   <A#META    this begins with the value and the text after it: `{kind}#{id}` beside `A#META`, whose kind A could continue as META.
//   @0000-00-00  the value must begin in this form, 0 for a digit; the other rules look at what is behind it. Dates and times have
//              it where the text after them occurs in every date, as in `{day}-{id}`: their length tells where they end.
//
// Partition keys may be equal on purpose: that is how items of several entities become one collection. So those of
// indexes have only the rules with *, and a table with a sort key has none against collections with a fixed name.
//
// Only keys have rules: `name = "{first} {last}"` is a text that nobody reads back. A sort key is compared with those that may
// are in the same item collection. Parts without anything between them (`{a}{b}`) cannot be told apart at all; `check`
// reports them.
#ifndef PREJOIN_MODEL_SCHEMA_KEY_REFUSALS_H_
#define PREJOIN_MODEL_SCHEMA_KEY_REFUSALS_H_

#include "model/schema/model.h"

namespace prejoin::model {

// Fills `next` and `rules` of the parts of every key.
void FillKeyRefusals(Model& model);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_KEY_REFUSALS_H_
