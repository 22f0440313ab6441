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

class Platform {
 public:
  explicit Platform(const std::string& storage, orlop::Durability durability = orlop::Durability::full,
                    orlop::Driver* driver = nullptr, std::uint64_t mmap_size = 0) {
    orlop::EngineOptions options;
    options.storage = storage;
    options.durability = durability;
    options.mmap_size = mmap_size;
    options.driver = driver;
    open(std::move(options));
  }

  // Loads the snapshot into the store.
  Platform(std::shared_ptr<orlop::Store> store, std::string_view snapshot) {
    orlop::EngineOptions options;
    options.snapshot = snapshot;
    options.store = std::move(store);
    open(std::move(options));
  }

  orlop::Engine& engine() { return *engine_; }

  // Returns the body of the reply, which must be a success.
  std::string request(std::string_view method, std::string_view path, std::string_view body = "") {
    auto reply = engine_->dispatch({method, path, body, {}});
    if (!reply) fail(std::string(path) + ": " + reply.error().message);
    if (reply->status >= 300) fail(std::string(path) + ": " + reply->body);
    return std::move(reply->body);
  }

  std::string create(const std::string& path, std::string_view body) {
    return request("POST", path, body).substr(7, 36);
  }

 private:
  void open(orlop::EngineOptions options) {
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    auto opened = orlop::Engine::open(std::move(options));
    if (!opened) fail("open: " + opened.error().message);
    engine_ = std::move(*opened);
  }

  CountingClock clock_;
  MixingRandomSource random_source_;
  std::unique_ptr<orlop::Engine> engine_;
};

}  // namespace bench
