// A proxy between the store and the server that cuts the connection at an instant that the test chooses.
#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace orlop::contract {

class Proxy {
 public:
  enum class Cut {
    none,
    before_commit,  // the server does not see COMMIT
    after_commit,   // the server has answered COMMIT, and the answer is dropped
    before_insert,  // of an event, inside of apply()
  };
  explicit Proxy(int server_port);
  ~Proxy();
  // Cuts at the next matching message of a client.
  void cut_next(Cut cut) { cut_ = cut; }
  int port() const { return port_; }
  int cuts() const { return cuts_; }

 private:
  void serve();
  void forward(int client);
  bool is_cut_here(const std::string& sent);

  int server_port_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<Cut> cut_ = Cut::none;
  std::atomic<int> cuts_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace orlop::contract
