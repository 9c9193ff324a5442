#include "base/call_batch.h"

#include <gtest/gtest.h>

#include <thread>

namespace prejoin {
namespace {

int delivered = 0;
void Deliver() { ++delivered; }
void DeliverElse() { delivered += 100; }

TEST(CallBatch, DeliversOnceAtItsEnd) {
  delivered = 0;
  {
    const CallBatch batch;
    EXPECT_TRUE(CallBatch::PutOff(Deliver));
    EXPECT_TRUE(CallBatch::PutOff(Deliver));
    EXPECT_EQ(delivered, 0);
  }
  EXPECT_EQ(delivered, 1);
  { const CallBatch empty; }
  EXPECT_EQ(delivered, 1);
}

TEST(CallBatch, PutsNothingOffWithoutABatch) {
  delivered = 0;
  EXPECT_FALSE(CallBatch::PutOff(Deliver));
  {
    const CallBatch batch;
    std::thread([] { EXPECT_FALSE(CallBatch::PutOff(Deliver)); }).join();
  }
  EXPECT_FALSE(CallBatch::PutOff(Deliver));
  EXPECT_EQ(delivered, 0);
}

TEST(CallBatch, OutermostDelivers) {
  delivered = 0;
  {
    const CallBatch outer;
    {
      const CallBatch inner;
      EXPECT_TRUE(CallBatch::PutOff(Deliver));
    }
    EXPECT_EQ(delivered, 0);
    EXPECT_TRUE(CallBatch::PutOff(Deliver));
  }
  EXPECT_EQ(delivered, 1);
}

TEST(CallBatch, DeliversOneKindOfThing) {
  delivered = 0;
  {
    const CallBatch batch;
    EXPECT_TRUE(CallBatch::PutOff(Deliver));
    EXPECT_FALSE(CallBatch::PutOff(DeliverElse));
  }
  EXPECT_EQ(delivered, 1);
}

}  // namespace
}  // namespace prejoin
