// Serves a platform in memory over HTTP, on Boost.Beast: dispatch takes a method, a target, headers and a body, and
// returns a status, headers and a body. One thread for each connection; a host with many connections keeps an event
// loop and dispatches from a pool.
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <orlop/orlop.hpp>

#include <iostream>
#include <thread>

namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using Asked = http::request<http::string_body>;
using Answer = http::response<http::string_body>;

namespace {

constexpr std::size_t body_size_max = 1 << 20;  // bytes; the engine's own bound

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

// HEAD is GET without the body. OPTIONS answers with the methods that a refusal lists.
Answer answer(orlop::Engine& engine, const Asked& asked) {
  const bool is_head = asked.method() == http::verb::head;
  orlop::Request request{is_head ? "GET" : view(asked.method_string()), view(asked.target()), asked.body()};
  request.untrusted = true;  // the request came over a network: its sender must authenticate if the engine requires
                             // that
  for (const auto& field : asked) request.headers.emplace_back(view(field.name_string()), view(field.value()));
  const orlop::Reply reply = engine.dispatch(request);
  const bool is_list = asked.method() == http::verb::options && reply.status() == 405;
  Answer made{is_list ? http::status::no_content : static_cast<http::status>(reply.status()), asked.version()};
  for (const auto& [name, value] : reply.headers()) made.set(std::string(name), std::string(value));
  made.keep_alive(asked.keep_alive());
  if (!is_list) made.body() = std::string(reply.body());
  made.prepare_payload();
  if (is_head) made.body().clear();
  return made;
}

void serve(orlop::Engine& engine, tcp::socket socket) try {
  boost::beast::flat_buffer buffer;
  for (bool goes_on = true; goes_on;) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(body_size_max);
    boost::beast::error_code failed;
    http::read(socket, buffer, parser, failed);
    if (failed == http::error::end_of_stream) return;
    Answer made = failed ? Answer{http::status::bad_request, 11} : answer(engine, parser.get());
    goes_on = !failed && made.keep_alive();
    made.keep_alive(goes_on);
    if (failed) made.prepare_payload();
    http::write(socket, made);
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';  // the connection broke, or the engine could not answer
}

}  // namespace

int main() try {
  orlop::Engine engine;
  boost::asio::io_context context;
  tcp::acceptor acceptor(context, {boost::asio::ip::address_v4::loopback(), 0});
  std::cout << "http://127.0.0.1:" << acceptor.local_endpoint().port() << std::endl;
  std::thread([&] {
    for (;;) (void)engine.wait(engine.tick());
  }).detach();  // moves deployments on
  for (;;) std::thread(serve, std::ref(engine), acceptor.accept()).detach();
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
