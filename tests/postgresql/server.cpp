#include "postgresql/server.h"

#include <signal.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "guard.h"
#include "orlop/postgresql.h"
#include "ports/callbacks.h"
#include "postgresql/open_store.h"
#include "storage/host_store.h"

namespace orlop::contract {

std::string connection_to(const std::string& name) {
  std::ifstream file(ORLOP_TEST_SERVER);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
  }
  return "";
}

Result<std::unique_ptr<Store>> open_postgresql(const std::string& connection, const std::string& schema,
                                               std::int64_t lock_timeout_ms, std::int64_t writer_idle_timeout_ms) {
  if (connection.empty())
    return make_error(ErrorCode::storage_failed,
                      "no server: start it with tests/postgresql/server.py start " ORLOP_TEST_SERVER);
  orlop_postgresql_options options = ORLOP_POSTGRESQL_OPTIONS_INIT;
  options.connection = c::text_of(connection);
  if (!schema.empty()) options.schema = c::text_of(schema);
  options.connections_max = 64;
  options.lock_timeout_ms = lock_timeout_ms;
  options.writer_idle_timeout_ms = writer_idle_timeout_ms;
  return open_postgresql(options);
}

Result<std::unique_ptr<Store>> open_postgresql(const orlop_postgresql_options& options) {
  orlop_store functions{};
  if (orlop_error* refused = orlop_postgresql_open(&functions, &options)) {
    Error error = make_error(static_cast<ErrorCode>(orlop_error_code(refused)), orlop_error_message(refused));
    orlop_error_free(refused);
    return error;
  }
  auto store = std::make_unique<c::HostStore>(functions, nullptr);
  store->own();
  return std::unique_ptr<Store>(std::move(store));
}

void wait_for_end_of(const std::string& processes) {
  std::istringstream numbers(processes);
  for (pid_t process = 0; numbers >> process;) {
    while (::kill(process, 0) == 0 || errno != ESRCH) std::this_thread::yield();
  }
}

}  // namespace orlop::contract
