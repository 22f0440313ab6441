#!/usr/bin/env bash
# Cron: seven libraries read a day of the month with a day of the week as five different schedules.
#
# Versions: Go robfig/cron 3.0.1 (the parser of Kubernetes); PyPI croniter 7.0.0, cronsim 2.8, APScheduler 3.11.3;
# npm cron-parser 5.10.6, croner 11.0.1, cron 4.4.0. Needs Go, Python and Node.js 20.
#
# Guess: all seven follow the rule of cron: if both day fields are restricted, a day that matches either of them counts.
# Seen: they differ in which field is restricted.
#   - */2 is restricted for robfig/cron and five others: every odd day, and every Monday. For cronsim, as in Debian's
#     cron, a field that begins with * is unrestricted: Mondays with an odd date.
#   - */1 is unrestricted for robfig/cron, as it selects every day; three libraries look for a bare * and run every day.
#   - npm's cron looks at the set that results: 1-31 and 0-6 are unrestricted. For the others they are restricted, and
#     "or Monday" then means every day.
#   - APScheduler always requires both fields.
#
# The output is the number of runs in 2026.
#> expression     robfig croniter cronsim APScheduler cron-parser croner cron
#> 0 0 13 * fri       61       61      61           3          61     61   61
#> 0 0 */2 * mon     212      212      26          26         212    212  212
#> 0 0 */1 * mon      52      365      52          52         365    365   52
#> 0 0 1-31 * mon    365      365     365          52         365    365   52
#> 0 0 13 * 0-6      365      365     365          12         365    365   12
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check croniter==7.0.0 cronsim==2.8 apscheduler==3.11.3
npm install --silent --no-audit --no-fund cron-parser@5.10.6 croner@11.0.1 cron@4.4.0 >/dev/null
go mod init finding 2>/dev/null
go get github.com/robfig/cron/v3@v3.0.1 2>/dev/null

cat >expressions <<'END'
0 0 13 * fri
0 0 */2 * mon
0 0 */1 * mon
0 0 1-31 * mon
0 0 13 * 0-6
END

cat >main.go <<'END'
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/robfig/cron/v3"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		schedule, err := cron.ParseStandard(lines.Text())
		if err != nil {
			panic(err)
		}
		count, at := 0, time.Date(2025, 12, 31, 23, 59, 0, 0, time.UTC)
		for {
			if at = schedule.Next(at); at.Year() != 2026 {
				break
			}
			count++
		}
		fmt.Println(count)
	}
}
END

cat >count.py <<'END'
import sys
from datetime import UTC, datetime, timedelta

from apscheduler.triggers.cron import CronTrigger
from croniter import croniter
from cronsim import CronSim

START = datetime(2025, 12, 31, 23, 59, tzinfo=UTC)


def of_apscheduler(expression):
    trigger, at = CronTrigger.from_crontab(expression, timezone=UTC), START
    while True:
        at = trigger.get_next_fire_time(None, at + timedelta(seconds=1))
        yield at


def of_croniter(expression):
    iterator = croniter(expression, START)
    while True:
        yield iterator.get_next(datetime)


for line in sys.stdin:
    counts = []
    for runs in (of_croniter(line.strip()), CronSim(line.strip(), START), of_apscheduler(line.strip())):
        counts.append(0)
        while next(runs).year == 2026:
            counts[-1] += 1
    print(*counts)
END

cat >count.mjs <<'END'
import { readFileSync } from "node:fs";
import { CronTime } from "cron";
import parser from "cron-parser";
import { Cron } from "croner";

const start = new Date("2025-12-31T23:59:00Z");
const nexts = {
  parser: (expression) => {
    const iterator = parser.CronExpressionParser.parse(expression, { currentDate: start, tz: "UTC" });
    return () => iterator.next().toDate();
  },
  croner: (expression) => {
    const cron = new Cron(expression, { timezone: "UTC" });
    return (at) => cron.nextRun(at);
  },
  cron: (expression) => {
    const time = new CronTime(expression, "UTC");
    return (at) => time.getNextDateFrom(at, "UTC").toJSDate();
  },
};
for (const expression of readFileSync(0, "utf8").trim().split("\n")) {
  const counts = Object.values(nexts).map((open) => {
    const next = open(expression);
    let count = 0;
    for (let at = next(start); at.getUTCFullYear() === 2026; at = next(at)) count++;
    return count;
  });
  console.log(...counts);
}
END

go run . <expressions >robfig
venv/bin/python count.py <expressions >python
node count.mjs <expressions >npm
paste -d ' ' robfig python npm >counts
{
  echo "expression     robfig croniter cronsim APScheduler cron-parser croner cron"
  while IFS= read -r expression && read -r -a count <&3; do
    printf '%-14s %6s %8s %7s %11s %11s %6s %4s\n' "$expression" "${count[@]}"
  done <expressions 3<counts
} >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
