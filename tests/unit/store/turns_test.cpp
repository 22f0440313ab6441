// Writers get their turns in the order of their requests.
#include "store/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace orlop {
namespace {

void until_waiting(const Turns& turns, std::size_t count) {
  while (turns.waiting() != count) std::this_thread::yield();
}

TEST(Turns, OneThatComesAgainAtOnceComesBehindThoseThatWait) {
  Turns turns;
  std::string order;  // guarded by the turn
  std::vector<std::thread> others;
  turns.take();
  for (const char name : {'b', 'c', 'd'}) {
    others.emplace_back([&turns, &order, name] {
      turns.take();
      order += name;
      turns.pass();
    });
    until_waiting(turns, others.size());
  }
  for (int again = 0; again < 3; ++again) {
    order += 'a';
    turns.pass();
    turns.take();
  }
  turns.pass();
  for (std::thread& other : others) other.join();
  EXPECT_EQ(order, "abcdaa");
}

TEST(Turns, AreOnesAlone) {
  Turns turns;
  int inside = 0;
  int most = 0;
  int taken = 0;
  std::vector<std::thread> threads;
  for (int count = 0; count < 8; ++count) {
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        turns.take();
        most = std::max(most, ++inside);
        ++taken;
        --inside;
        turns.pass();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(taken, 8 * 500);
  EXPECT_EQ(turns.waiting(), 0U);
}

}  // namespace
}  // namespace orlop
