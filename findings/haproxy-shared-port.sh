#!/usr/bin/env bash
# HAProxy: a second instance on a port that another one serves starts without an error and takes a part of the requests.
#
# Versions: Debian 12 haproxy 2.6.12. Needs Linux, curl and Python. As another user than the first instance the second
# one is refused.
#
# Guess: "Address already in use", as of any server.
# Seen: HAProxy binds with SO_REUSEPORT, so that reloads lose no connection. The kernel divides new connections among
# both processes, whatever their configurations. An instance that was forgotten, such as one whose pid file is lost,
# answers for ever with its old routes, now and then. With noreuseport in the section global the second one is
# refused, and a reload with -x and -sf takes over the sockets all the same.
#
#> default: second starts, answers of both, reload starts
#> noreuseport: second is refused, answers of one, reload starts
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'for pid in $(cat "$folder"/*/pid "$folder"/*/pid2 2>/dev/null); do kill "$pid" 2>/dev/null || true; done; rm -rf "$folder"' EXIT
cd "$folder"
PATH=$PATH:/usr/sbin
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

# configuration FOLDER NUMBER GLOBAL
configuration() {
  printf '%s\n' global "  stats socket $PWD/$1/socket$2 mode 600 level admin expose-fd listeners" "  $3" \
    defaults '  mode http' '  timeout connect 5s' '  timeout client 5s' '  timeout server 5s' \
    'frontend public' "  bind 127.0.0.1:$port" "  http-request return status 200 content-type text/plain string $2" >"$1/$2.cfg"
}

for kind in default noreuseport; do
  mkdir $kind
  for number in 1 2; do configuration $kind $number "$([ $kind = default ] || echo noreuseport)"; done
  haproxy -D -f $kind/1.cfg -p $kind/pid
  second='second starts'
  haproxy -D -f $kind/2.cfg -p $kind/pid2 2>/dev/null || second='second is refused'
  answers=$(for _ in $(seq 200); do curl -s "http://127.0.0.1:$port/"; done | fold -w 1 | sort -u | wc -l)
  former=$(cat $kind/pid)
  reload='reload starts'
  haproxy -D -f $kind/1.cfg -p $kind/pid -x $kind/socket1 -sf "$former" 2>/dev/null || reload='reload is refused'
  echo "$kind: $second, answers of $([ "$answers" = 2 ] && echo both || echo one), $reload" >>seen
  for pid in $(cat $kind/pid $kind/pid2 2>/dev/null); do kill "$pid" 2>/dev/null || true; done
  until ! curl -s "http://127.0.0.1:$port/" >/dev/null; do sleep 0.1; done
done
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
