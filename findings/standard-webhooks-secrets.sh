#!/usr/bin/env bash
# Standard Webhooks: the Python and the JavaScript library take different secrets, and meet a valid message with different errors.
#
# Versions: PyPI standardwebhooks 1.1.0; npm standardwebhooks 1.0.0. Needs Python and Node.js.
#
# Guess: both are of one project and follow one specification, so that what one takes the other takes too.
# Seen:
#   - Python drops every letter of a secret that is not in the alphabet of base64, and signs with the rest: a secret in URL-safe base64 has another key without a word. JavaScript refuses it.
#   - A secret without padding is whole in Python, and refused in JavaScript.
#   - A message may have several signatures, for the rotation of keys. If the first is no base64, Python raises binascii.Error instead of looking at the second.
#   - A message with a right signature whose body is not JSON raises the error of the JSON parser, not that of the library.
# A sender has to check the form of a secret itself, and a receiver has to catch every error.
#
#> secret or message          Python                  JavaScript
#> usual secret               v1,/VU9aq…              v1,/VU9aq…
#> MfK_9r8GKYqrTwjU           v1,sRZCOK…              Error
#> the same without _         v1,sRZCOK…              v1,sRZCOK…
#> without padding            v1,rkVZVK…              Error
#> bad signature before good  binascii.Error          verified
#> body that is not JSON      JSONDecodeError         SyntaxError
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check standardwebhooks==1.1.0
npm init -y >/dev/null
npm install --silent --no-audit --no-fund standardwebhooks@1.0.0 >/dev/null

cat >sign.py <<'END'
import datetime
import json
import time

from standardwebhooks import Webhook

AT = datetime.datetime.fromtimestamp(1_767_225_600, datetime.timezone.utc)
WHOLE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def name_of(error):
    module = type(error).__module__
    return ("binascii." if module == "binascii" else "") + type(error).__name__


def signature(secret):
    try:
        return Webhook(secret).sign("m", AT, "{}")
    except Exception as error:
        return name_of(error)


def verified(body, before=""):
    now = datetime.datetime.now(datetime.timezone.utc)
    signed = Webhook(WHOLE).sign("m", now, body)
    headers = {"webhook-id": "m", "webhook-timestamp": str(int(time.time())), "webhook-signature": before + signed}
    try:
        Webhook(WHOLE).verify(body, headers)
        return "verified"
    except Exception as error:
        return name_of(error)


SECRETS = (WHOLE, "whsec_MfK_9r8GKYqrTwjU", "whsec_MfK9r8GKYqrTwjU", "whsec_YWI")
print(json.dumps([*map(signature, SECRETS), verified("{}", "v1,bad "), verified("hello")]))
END

cat >sign.cjs <<'END'
const { Webhook } = require("standardwebhooks");
const AT = new Date(1767225600 * 1000);
const WHOLE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
function signature(secret) {
  try {
    return new Webhook(secret).sign("m", AT, "{}");
  } catch (error) {
    return error.name;
  }
}
function verified(body, before = "") {
  const now = new Date();
  const headers = {
    "webhook-id": "m",
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": before + new Webhook(WHOLE).sign("m", now, body),
  };
  try {
    new Webhook(WHOLE).verify(body, headers);
    return "verified";
  } catch (error) {
    return error.name;
  }
}
const secrets = [WHOLE, "whsec_MfK_9r8GKYqrTwjU", "whsec_MfK9r8GKYqrTwjU", "whsec_YWI"];
console.log(JSON.stringify([...secrets.map(signature), verified("{}", "v1,bad "), verified("hello")]));
END

venv/bin/python sign.py >python.json
node sign.cjs >javascript.json
venv/bin/python - >seen <<'END'
import json

ours, theirs = (json.load(open(f"{name}.json")) for name in ("python", "javascript"))
names = ["usual secret", "MfK_9r8GKYqrTwjU", "the same without _", "without padding", "bad signature before good", "body that is not JSON"]


def said(text):
    return text[:9] + "…" if text.startswith("v1,") else text


print(f"{'secret or message':26} {'Python':23} JavaScript")
for name, left, right in zip(names, ours, theirs):
    print(f"{name:26} {said(left):23} {said(right)}")
END
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
