#include "postgresql/proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace orlop::contract {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool pass_on(int from, int to, std::string* seen) {
  char buffer[65536];
  const ssize_t size = ::recv(from, buffer, sizeof buffer, 0);
  if (size <= 0) return false;
  if (seen != nullptr) seen->assign(buffer, static_cast<std::size_t>(size));
  return to < 0 || ::send(to, buffer, static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
}

}  // namespace

Proxy::Proxy(int server_port) : server_port_(server_port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  (void)::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
  (void)::listen(listener_, 16);
  socklen_t size = sizeof address;
  (void)::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

Proxy::~Proxy() {
  is_over_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

void Proxy::serve() {
  std::vector<std::thread> clients;
  while (!is_over_) {
    const int client = ::accept(listener_, nullptr, nullptr);
    if (client < 0) break;
    clients.emplace_back([this, client] { forward(client); });
  }
  for (std::thread& client : clients) client.join();
}

// Prepared statements are recognized by their names. A transaction of a single pipeline has no COMMIT statement.
bool Proxy::is_cut_here(const std::string& sent) {
  const auto holds = [&](std::string name) { return sent.find(name += '\0') != std::string::npos; };
  switch (cut_.load()) {
    case Cut::none: return false;
    case Cut::before_insert: return holds("orlop_insert_event_block");
    case Cut::before_commit:
    case Cut::after_commit: return holds("orlop_commit") || holds("orlop_insert_mark_unless_taken");
  }
  return false;
}

void Proxy::forward(int client) {
  const int server = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(server_port_);
  bool goes_on = ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  while (goes_on && !is_over_) {
    pollfd both[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (::poll(both, 2, 50) <= 0) continue;
    if ((both[0].revents & (POLLIN | POLLHUP)) != 0) {
      std::string sent;
      goes_on = pass_on(client, -1, &sent);
      if (!goes_on) break;
      const bool is_cut = is_cut_here(sent);
      const bool is_dropped = is_cut && cut_ != Cut::after_commit;
      if (!is_dropped)
        goes_on = ::send(server, sent.data(), sent.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(sent.size());
      if (is_cut) {
        if (!is_dropped) (void)pass_on(server, -1, nullptr);  // the answer
        cut_ = Cut::none;
        ++cuts_;
        break;
      }
    }
    if ((both[1].revents & (POLLIN | POLLHUP)) != 0) goes_on = pass_on(server, client, nullptr);
  }
  ::close(client);
  ::close(server);
}

}  // namespace orlop::contract
