#include "storage/tickets.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/storage/stores.h"

namespace prejoin::storage {
namespace {

TEST(Tickets, RoutesWithoutCommitsAreBeforeEverything) {
  Tickets tickets;
  const std::vector<Tickets::Slot> slots = {Tickets::SlotOf(MakeKey(1, 1, ""))};
  tickets.Begin(slots);
  EXPECT_EQ(tickets.End(slots), 1u);
  EXPECT_EQ(tickets.Newest(slots[0]), 1u);
  EXPECT_EQ(tickets.Newest(Tickets::SlotOf(MakeKey(1, 2, ""))), 0u);
}

TEST(Tickets, SlotDependsOnTheRouteOnly) {
  EXPECT_EQ(Tickets::SlotOf(MakeKey(1, 1, "abc")), Tickets::SlotOf(MakeKey(1, 1, "x")));
  EXPECT_NE(Tickets::SlotOf(MakeKey(1, 1, "")), Tickets::SlotOf(MakeKey(2, 1, "")));
  EXPECT_EQ(Tickets::SlotOf(""), Tickets::SlotOf(""));
}

// Between Begin and End the change may be visible but has no ticket: the reader's must be one that
// is handed out from now on, so that only a sync that starts later covers it.
TEST(Tickets, ReaderDuringACommitGetsATicketOfItsOwn) {
  Tickets tickets;
  const std::vector<Tickets::Slot> slots = {Tickets::SlotOf(MakeKey(1, 1, ""))};
  tickets.Begin(slots);
  const Ticket before = tickets.Last();
  EXPECT_GT(tickets.Newest(slots[0]), before);
  EXPECT_GT(tickets.Newest(), tickets.Last() - 1);
  const Ticket reader = tickets.Last();
  EXPECT_GT(tickets.End(slots), reader);
  EXPECT_EQ(tickets.Newest(slots[0]), tickets.Last());
  EXPECT_EQ(tickets.Newest(), tickets.Last());
}

TEST(Tickets, CommitThatEndsLateDoesNotPushARouteBack) {
  Tickets tickets;
  const Tickets::Slot slot = Tickets::SlotOf(MakeKey(1, 1, ""));
  const std::vector<Tickets::Slot> twice = {slot, slot};
  tickets.Begin(twice);
  const std::vector<Tickets::Slot> once = {slot};
  tickets.Begin(once);
  EXPECT_EQ(tickets.End(once), 1u);
  EXPECT_GT(tickets.Newest(slot), 1u);
  const Ticket last = tickets.End(twice);
  EXPECT_EQ(tickets.Newest(slot), last);
}

}  // namespace
}  // namespace prejoin::storage
