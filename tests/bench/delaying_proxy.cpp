// Proxy to a server that delays every byte in each direction, as a network between two machines does. Prints its port,
// and ends when its input does.
//
// usage: delaying_proxy PORT MICROSECONDS
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

// Bytes that were read from one side, with the times at which they are due on the other.
class Line {
 public:
  void put(Clock::time_point due, std::string bytes) {
    {
      const std::lock_guard lock(mutex_);
      parts_.emplace_back(due, std::move(bytes));
    }
    added_.notify_one();
  }
  // Returns the next part when it is due.
  std::string take() {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [&] { return !parts_.empty(); });
    auto [due, bytes] = std::move(parts_.front());
    parts_.pop_front();
    added_.wait_until(lock, due, [] { return false; });
    return bytes;
  }

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::pair<Clock::time_point, std::string>> parts_;
};

// Reads until the end, which is put as an empty part.
void read_all(int from, Line& line, std::chrono::microseconds delay) {
  char buffer[65'536];
  for (;;) {
    const ssize_t got = read(from, buffer, sizeof buffer);
    line.put(Clock::now() + delay, std::string(buffer, got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got <= 0) return;
  }
}

void write_all(int to, Line& line) {
  for (;;) {
    const std::string bytes = line.take();
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t put = send(to, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (put <= 0) break;
      sent += static_cast<std::size_t>(put);
    }
    if (!bytes.empty()) continue;
    shutdown(to, SHUT_WR);
    return;
  }
}

sockaddr_in address_of(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

void forward(int client, int port, std::chrono::microseconds delay) {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = address_of(port);
  const int on = 1;
  setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    Line up;
    Line down;
    std::thread threads[] = {
        std::thread(read_all, client, std::ref(up), delay), std::thread(write_all, server, std::ref(up)),
        std::thread(read_all, server, std::ref(down), delay), std::thread(write_all, client, std::ref(down))};
    for (std::thread& thread : threads) thread.join();
  }
  close(server);
  close(client);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: delaying_proxy PORT MICROSECONDS\n", stderr);
    return 2;
  }
  const int port = std::atoi(arguments[1]);
  const std::chrono::microseconds delay(std::atoi(arguments[2]));
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = address_of(0);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 || listen(listener, 64) != 0) return 1;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  std::thread([&] {
    while (true) {
      const int client = accept(listener, nullptr, nullptr);
      if (client >= 0) std::thread(forward, client, port, delay).detach();
    }
  }).detach();
  while (std::getchar() != EOF) {}
  std::_Exit(0);
}
