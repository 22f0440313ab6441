// Paired measurements: our side and the bare side in turn, in one process, order swapped every round; the median of the
// rounds' ratios. A ratio is our speed divided by the speed of the bare side: 0.8 means 0.8 of its speed. Nothing here
// passes or fails.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// Returns the seconds that `work` takes, by the steady clock.
double seconds_of(const std::function<void()>& work);

struct Figure {
  std::string name;  // "create, FULL"
  std::string goal;  // goal of the design, as text; "" if it has none
  std::string unit;  // unit of the two costs: "us"
  double ours = 0;   // median cost of one operation
  double bare = 0;
  double ratio = 0;  // median over the rounds of bare / ours
  double ratio_least = 0;
  double ratio_most = 0;
};

struct Sides {
  // Each runs `operations` operations. `prepare`, if set, runs untimed before each.
  std::function<void()> ours;
  std::function<void()> bare;
  std::function<void()> prepare = {};
  std::size_t operations = 1;
};

// Measures one warm-up and `rounds` counted rounds. Costs are in microseconds.
Figure measure(const std::string& name, const std::string& goal, const Sides& sides, int rounds = 7);

double median(std::vector<double> values);
// Returns the quantile `part` (0.99) of the values.
double quantile(std::vector<double> values, double part);

// Prints the figures as a table, then as one line of JSON that starts with "json ".
void print(const std::string& title, const std::vector<Figure>& figures);

}  // namespace bench
