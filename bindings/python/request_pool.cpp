#include "request_pool.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <condition_variable>
#include <list>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

#include "arguments.h"
#include "host.h"

namespace orlop_python {

// A request and its result. It moves from list to list without allocation.
struct Exchange {
  std::uint64_t ticket;
  bool only_authenticates;
  std::string method;
  std::string target;
  RequestPool::Headers headers;
  std::string body;
  std::optional<orlop::Reply> reply = std::nullopt;  // nullopt: the credentials are valid, or there is an error
  std::optional<orlop::Error> error = std::nullopt;
  PyObject* raised = nullptr;  // by a callback; owned
  bool is_out_of_memory = false;
};
using Exchanges = std::list<Exchange>;

namespace {

orlop_text text_of(const std::string& text) { return {text.data(), text.size()}; }

void answer(orlop_engine* engine, Exchange& asked) try {
  std::vector<orlop_header> headers;
  headers.reserve(asked.headers.size());
  for (const auto& [name, value] : asked.headers) headers.push_back({text_of(name), text_of(value)});
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = text_of(asked.method);
  request.path = text_of(asked.target);
  request.headers = headers.data();
  request.header_count = headers.size();
  request.body = text_of(asked.body);
  request.untrusted = 1;
  orlop_reply* reply = nullptr;
  orlop_error* error = asked.only_authenticates ? orlop_authenticate(&reply, engine, &request)
                                                : orlop_dispatch(&reply, engine, &request);
  asked.raised = take_pending();
  if (error != nullptr) {
    asked.error.emplace(error);
  } else if (reply != nullptr) {
    asked.reply.emplace(reply);
  }
} catch (const std::bad_alloc&) { asked.is_out_of_memory = true; }

// Blocks signals for a new thread, so that the interpreter's threads handle them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

// Requests of one kind, and the threads that answer them. `limit` is the maximum of threads that do not wait for a
// port.
class Lane {
 public:
  explicit Lane(std::size_t limit) : limit_(limit) {}

  // Throws std::system_error if the lane has no thread and cannot start one.
  void push(const std::shared_ptr<RequestPool::State>& state, Exchanges one) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.splice(waiting_.end(), one);
      try {
        if (add_thread(state)) return;
      } catch (const std::system_error&) {
        if (active_ != 0) return;
        waiting_.pop_back();
        throw;
      }
    }
    work_.notify_one();  // without the lock, which the thread needs first
  }

  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    waiting_.clear();
    work_.notify_all();
  }

  void leave(const std::shared_ptr<RequestPool::State>& state) {
    const std::lock_guard lock(mutex_);
    --active_;
    try {
      add_thread(state);
    } catch (const std::system_error&) {
      return;  // without a further thread, other requests wait for the port too
    }
  }

  void enter() {
    const std::lock_guard lock(mutex_);
    ++active_;
  }

  void run(const std::shared_ptr<RequestPool::State>& state);

 private:
  // Starts a thread if there are more requests than idle threads. The caller holds the lock. Throws std::system_error.
  bool add_thread(const std::shared_ptr<RequestPool::State>& state);

  std::mutex mutex_;
  std::condition_variable work_;
  Exchanges waiting_;
  std::size_t limit_;
  std::size_t active_ = 0;
  std::size_t idle_ = 0;
  bool is_closed_ = false;
};

// Shared by the pool and its threads; the last owner destroys it.
struct RequestPool::State {
  State(orlop_engine* handle, std::size_t readers, std::size_t writers)
      : engine(handle), reads(readers), writes(writers) {
    if (pipe2(pipe, O_NONBLOCK | O_CLOEXEC) != 0)
      throw std::runtime_error("there is no file descriptor left for a pipe");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    ::close(pipe[0]);
    ::close(pipe[1]);
  }

  void put(Exchanges& one) {
    const std::lock_guard lock(mutex);
    done.splice(done.end(), one);
    if (done.size() == 1) (void)!::write(pipe[1], "", 1);
  }

  orlop_engine* engine;
  Lane reads;
  Lane writes;
  int pipe[2] = {-1, -1};
  std::mutex mutex;  // guards done
  Exchanges done;
};

namespace {

// The lane that this thread belongs to; empty on every other thread.
struct Worker {
  Lane* lane = nullptr;
  std::shared_ptr<RequestPool::State> state;
};
thread_local Worker worker;

}  // namespace

bool Lane::add_thread(const std::shared_ptr<RequestPool::State>& state) {
  if (waiting_.size() <= idle_ || active_ >= limit_ || is_closed_) return false;
  const SignalsBlocked inherited;
  std::thread([this, state] { run(state); }).detach();
  ++active_;
  return true;
}

void Lane::run(const std::shared_ptr<RequestPool::State>& state) {
  worker = {this, state};
  std::unique_lock lock(mutex_);
  for (;;) {
    while (waiting_.empty() && !is_closed_ && active_ <= limit_) {
      ++idle_;
      work_.wait(lock);
      --idle_;
    }
    if (is_closed_ || active_ > limit_) break;
    Exchanges one;
    one.splice(one.end(), waiting_, waiting_.begin());
    lock.unlock();
    answer(state->engine, one.front());
    state->put(one);
    lock.lock();
  }
  --active_;
}

PortWait::PortWait() {
  if (worker.lane != nullptr) worker.lane->leave(worker.state);
}

PortWait::~PortWait() {
  if (worker.lane != nullptr) worker.lane->enter();
}

RequestPool::RequestPool(orlop_engine* engine, std::size_t readers, std::size_t writers)
    : state_(std::make_shared<State>(engine, readers, writers)) {}

RequestPool::~RequestPool() {
  state_->reads.close();
  state_->writes.close();
}

int RequestPool::descriptor() const { return state_->pipe[0]; }

void RequestPool::submit(std::uint64_t ticket, bool only_authenticates, std::string method, std::string target,
                         Headers headers, std::string body) {
  Lane& lane = method == "GET" || only_authenticates ? state_->reads : state_->writes;
  Exchanges one;
  one.push_back(
      {ticket, only_authenticates, std::move(method), std::move(target), std::move(headers), std::move(body)});
  lane.push(state_, std::move(one));
}

namespace {

py::tuple failed(const Exchange& asked, std::string_view name, const py::object& said) {
  return py::make_tuple(asked.ticket, -1, text_out(name), said);
}

// Makes the tuple for take(). A failed conversion becomes a failed request, so that the other replies are not lost.
py::tuple taken(const Exchange& asked) try {
  const auto raised = py::reinterpret_steal<py::object>(asked.raised);
  if (raised) return failed(asked, "callback", raised);
  if (asked.error) return failed(asked, asked.error->name(), message_out(asked.error->what()));
  if (asked.is_out_of_memory) return failed(asked, "out_of_memory", py::str("memory ran out"));
  if (!asked.reply) return py::make_tuple(asked.ticket, 0, py::none(), py::none());
  const std::string_view body = asked.reply->body();
  return py::make_tuple(asked.ticket, asked.reply->status(), headers_of(*asked.reply),
                        py::bytes(body.data(), body.size()));
} catch (const py::error_already_set& raised) { return failed(asked, "callback", raised.value()); }

}  // namespace

py::list RequestPool::take() {
  Exchanges done;
  {
    const std::lock_guard lock(state_->mutex);
    char bytes[8];
    (void)!::read(state_->pipe[0], bytes, sizeof bytes);
    done.swap(state_->done);
  }
  py::list answers;
  for (const Exchange& asked : done) answers.append(taken(asked));
  return answers;
}

}  // namespace orlop_python
