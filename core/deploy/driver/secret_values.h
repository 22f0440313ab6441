// Values of the secrets in a step's configuration.
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
  // For a step whose driver reads these texts: if it reads no secrets, the configuration has none, and none is missing.
  explicit SecretValues(StepTexts texts) : are_read_(texts.secrets) {}
  bool are_read() const { return are_read_; }
  explicit SecretValues(std::vector<std::string> values) : values_(std::move(values)) {}

  // Returns the record as the driver reads it: without secrets, or with them; then adds their texts and notes missing
  // ones.
  Result<Value> value_of(const Record& record);
  Result<std::string> text_of(const Record& record);
  // Adds each text of a value, at any depth.
  void add_texts(const Value& value);
  // Adds a value; of a document, such as JSON credentials or a kubeconfig, also each text in it whose name indicates a
  // secret.
  void add(std::string_view value);
  // Returns the contents as JSON text, empty if there are none; add_kept() reads it.
  std::string kept() const;
  Result<void> add_kept(std::string_view text);

  std::vector<std::string> take() && { return std::move(values_); }

  // Notes a secret of the configuration that the store does not have. Only the first is kept, for the refusal.
  void note_missing(std::string name) {
    if (missing_.empty()) missing_ = std::move(name);
  }
  // Error invalid: a secret is missing.
  Result<void> check_missing() const;

 private:
  Result<void> add_of(const Record& record);
  void add_part(std::string_view value);
  void add_parts(std::string_view value);
  void add_named(const Value& value, bool is_secret);

  std::vector<std::string> values_;
  std::string missing_;  // first missing secret; empty if none
  bool are_read_ = true;
};

}  // namespace orlop
