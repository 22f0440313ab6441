// The values of the secrets that a step's configuration holds.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "deploy/driver/driver.h"
#include "model/value.h"
#include "store/store.h"

namespace orlop {

class SecretValues {
 public:
  SecretValues() = default;
  // Of a step whose driver reads these texts: where it reads no secrets, its configuration has none, and none is
  // missing.
  explicit SecretValues(StepTexts texts) : are_read_(texts.secrets) {}
  bool are_read() const { return are_read_; }
  explicit SecretValues(std::vector<std::string> values) : values_(std::move(values)) {}

  // The record as the driver reads it: with its secrets, of which each text is added and those that it lacks are noted,
  // or without them.
  Result<Value> value_of(const Record& record);
  Result<std::string> text_of(const Record& record);
  // Each text of a value, at any depth.
  void add_texts(const Value& value);
  // Of a document, such as JSON credentials or a kubeconfig, also each text in it whose name says that it is a secret.
  void add(std::string_view value);
  // All of it as JSON text, "" if it is nothing, and from there.
  std::string kept() const;
  Result<void> add_kept(std::string_view text);

  std::vector<std::string> take() && { return std::move(values_); }

  // A secret that the configuration would hold, and the store does not have: the first is kept, as its refusal names
  // it.
  void note_missing(std::string name) {
    if (missing_.empty()) missing_ = std::move(name);
  }
  // Error invalid: a secret is missing.
  Result<void> check_missing() const;

 private:
  Result<void> add_of(const Record& record);
  void add_parts(std::string_view value);
  void add_named(const Value& value, bool is_secret);

  std::vector<std::string> values_;
  std::string missing_;  // the first; "": none
  bool are_read_ = true;
};

}  // namespace orlop
