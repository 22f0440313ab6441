// Shared by the benchmarks: an engine with a clock that counts calls, and requests that must succeed.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "engine.h"
#include "platform.h"

namespace bench {

class CountingClock final : public orlop::Clock {
 public:
  orlop::Instant now() override { return {1'767'225'600'000 + count_.fetch_add(1) / 64}; }

 private:
  std::atomic<std::int64_t> count_ = 0;
};

class MixingRandomSource final : public orlop::RandomSource {
 public:
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override {
    std::uint64_t mixed = transaction * 0x9E3779B97F4A7C15ULL + index * 0xBF58476D1CE4E5B9ULL + 1;
    mixed = (mixed ^ (mixed >> 30)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
  }
};

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

// Directory for the files of one run, removed at the end. It lies on the disk that holds the build, not in memory.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(std::filesystem::current_path() / ("bench-" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// An engine with a clock that counts calls. It needs no cluster that runs.
class OpenedEngine {
 protected:
  explicit OpenedEngine(orlop::EngineOptions options) {
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    auto opened = orlop::Engine::open(std::move(options));
    if (!opened) fail("open: " + opened.error().message);
    opened_ = std::move(*opened);
  }

  CountingClock clock_;
  MixingRandomSource random_source_;
  std::unique_ptr<orlop::Engine> opened_;
};

class OpenedPlatform : private OpenedEngine, public orlop::Platform {
 public:
  explicit OpenedPlatform(const std::string& storage, orlop::Durability durability = orlop::Durability::full,
                          std::uint64_t mmap_size = 0)
      : OpenedEngine(options_of(storage, durability, mmap_size)), orlop::Platform(*opened_) {}
  // Loads the snapshot, if there is one, into the store.
  explicit OpenedPlatform(std::shared_ptr<orlop::Store> store, std::string_view snapshot = {})
      : OpenedEngine(options_of(std::move(store), snapshot)), orlop::Platform(*opened_) {}

  // Ticks until nothing is due any more.
  void run() {
    while (true) {
      const auto next = opened_->tick();
      if (!next) fail(next.error().message);
      if (!*next) return;
    }
  }

 private:
  static orlop::EngineOptions options_of(const std::string& storage, orlop::Durability durability,
                                         std::uint64_t mmap_size) {
    orlop::EngineOptions options;
    options.storage = storage;
    options.durability = durability;
    options.mmap_size = mmap_size;
    return options;
  }
  static orlop::EngineOptions options_of(std::shared_ptr<orlop::Store> store, std::string_view snapshot) {
    orlop::EngineOptions options;
    options.snapshot = snapshot;
    options.store = std::move(store);
    return options;
  }
};

}  // namespace bench
