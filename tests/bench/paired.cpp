#include "paired.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace bench {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
  return values[place];
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

Figure measure(const std::string& name, const std::string& goal, const Sides& sides, int rounds) {
  std::vector<double> ours;
  std::vector<double> bare;
  std::vector<double> ratios;
  const auto timed = [&](const std::function<void()>& side) {
    if (sides.prepare) sides.prepare();
    return seconds_of(side);
  };
  for (int round = -1; round < rounds; ++round) {
    double ours_seconds = 0;
    double bare_seconds = 0;
    if (round % 2 == 0) {
      ours_seconds = timed(sides.ours);
      bare_seconds = timed(sides.bare);
    } else {
      bare_seconds = timed(sides.bare);
      ours_seconds = timed(sides.ours);
    }
    if (round < 0) continue;
    ours.push_back(ours_seconds);
    bare.push_back(bare_seconds);
    ratios.push_back(bare_seconds / ours_seconds);
  }
  const double scale = 1e6 / static_cast<double>(sides.operations);
  const auto [least, most] = std::ranges::minmax(ratios);
  return {name, goal, "us", median(ours) * scale, median(bare) * scale, median(ratios), least, most};
}

void print(const std::string& title, const std::vector<Figure>& figures) {
  std::printf("\n%s\n%-44s %12s %12s %8s %17s  %s\n", title.c_str(), "", "ours", "bare", "ratio", "least..most",
              "goal");
  for (const Figure& figure : figures) {
    std::printf("%-44s %9.3f %s %9.3f %s %8.2f %8.2f %8.2f  %s\n", figure.name.c_str(), figure.ours,
                figure.unit.c_str(), figure.bare, figure.unit.c_str(), figure.ratio, figure.ratio_least,
                figure.ratio_most, figure.goal.c_str());
  }
  std::printf("json {\"title\":\"%s\",\"figures\":[", title.c_str());
  for (std::size_t at = 0; at < figures.size(); ++at) {
    const Figure& figure = figures[at];
    std::printf(
        "%s{\"name\":\"%s\",\"unit\":\"%s\",\"ours\":%.4f,\"bare\":%.4f,\"ratio\":%.4f,\"least\":%.4f,\"most\":%.4f,"
        "\"goal\":\"%s\"}",
        at == 0 ? "" : ",", figure.name.c_str(), figure.unit.c_str(), figure.ours, figure.bare, figure.ratio,
        figure.ratio_least, figure.ratio_most, figure.goal.c_str());
  }
  std::printf("]}\n");
  std::fflush(stdout);
}

}  // namespace bench
