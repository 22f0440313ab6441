#!/usr/bin/env bash
# Cron: on the two days of a clock change, a schedule at 02:30 runs at 03:00, at 03:30, twice or never.
#
# Versions: Go robfig/cron 3.0.1 (the scheduler of Kubernetes); PyPI croniter 7.0.0, cronsim 2.8, APScheduler 3.11.3;
# npm cron-parser 5.10.6, croner 11.0.1, cron 4.4.0. Needs Go, Python and Node.js 20.
#
# In Europe/Berlin the time from 02:00 to 03:00 is skipped on 2026-03-29 and repeated on 2026-10-25.
# Guess: a run that is skipped is late by the skipped hour or does not happen, and no library invents a minute.
# Seen:
#   - "30 2 * * *" in March: three libraries run it at 03:00, a minute that the schedule does not have; two at 03:30;
#     robfig/cron leaves the day out. npm's cron also chooses 03:00.
#   - "30 2 * * *" in October: twice for robfig/cron, croniter and APScheduler, and once for the others.
#   - "0 3 * * *" in October with npm's cron: an additional run at the second 02:00. Three o'clock is not repeated.
#   - "30 * * * *" in March with npm's cron: an additional run at 03:00.
#
# The output is the local times of the runs in the four hours after 00:15 of that day.
#> 30 2 * * * on 29 March
#>   robfig      -
#>   croniter    03:00
#>   cronsim     03:00
#>   APScheduler 03:30
#>   cron-parser 03:30
#>   croner      03:00
#>   cron        03:00
#> 30 2 * * * on 25 October
#>   robfig      02:30 02:30
#>   croniter    02:30 02:30
#>   cronsim     02:30
#>   APScheduler 02:30 02:30
#>   cron-parser 02:30
#>   croner      02:30
#>   cron        02:30
#> 0 3 * * * on 25 October
#>   robfig      03:00
#>   cron        02:00 03:00
#> 30 * * * * on 29 March
#>   robfig      00:30 01:30 03:30 04:30
#>   cron        00:30 01:30 03:00 03:30 04:30
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check croniter==7.0.0 cronsim==2.8 apscheduler==3.11.3 tzdata==2026.6
npm install --silent --no-audit --no-fund cron-parser@5.10.6 croner@11.0.1 cron@4.4.0 >/dev/null
go mod init finding 2>/dev/null
go get github.com/robfig/cron/v3@v3.0.1 2>/dev/null

cat >main.go <<'END'
package main

import (
	"fmt"
	"os"
	"time"
	_ "time/tzdata"

	"github.com/robfig/cron/v3"
)

func main() {
	zone, _ := time.LoadLocation("Europe/Berlin")
	first, _ := time.Parse(time.RFC3339, os.Args[2])
	schedule, err := cron.ParseStandard(os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Print("robfig")
	for at := schedule.Next(first.In(zone)); at.Before(first.Add(4 * time.Hour)); at = schedule.Next(at) {
		fmt.Print(" ", at.Format("15:04"))
	}
	fmt.Println()
}
END

cat >runs.py <<'END'
import sys
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger
from croniter import croniter
from cronsim import CronSim

ZONE = ZoneInfo("Europe/Berlin")
expression, first = sys.argv[1], datetime.fromisoformat(sys.argv[2]).astimezone(ZONE)
last = first.astimezone(UTC) + timedelta(hours=4)


def of_apscheduler():
    trigger, run, now = CronTrigger.from_crontab(expression, timezone=ZONE), None, first
    while True:
        run = trigger.get_next_fire_time(run, now)
        yield run
        now = (run.astimezone(UTC) + timedelta(seconds=1)).astimezone(ZONE)


def of_croniter():
    iterator = croniter(expression, first)
    while True:
        yield iterator.get_next(datetime)


RUNS = {"croniter": of_croniter(), "cronsim": CronSim(expression, first), "APScheduler": of_apscheduler()}
for name, runs in RUNS.items():
    times = []
    while (at := next(runs).astimezone(UTC)) < last:
        times.append(f"{at.astimezone(ZONE):%H:%M}")
    print(name, *times)
END

cat >runs.mjs <<'END'
import { CronTime } from "cron";
import parser from "cron-parser";
import { Cron } from "croner";

const zone = "Europe/Berlin";
const [expression, start] = process.argv.slice(2);
const first = new Date(start);
const iterator = parser.CronExpressionParser.parse(expression, { currentDate: first, tz: zone });
const croner = new Cron(expression, { timezone: zone });
const cron = new CronTime(expression, zone);
const nexts = {
  "cron-parser": () => iterator.next().toDate(),
  croner: (at) => croner.nextRun(at),
  cron: (at) => cron.getNextDateFrom(at, zone).toJSDate(),
};
for (const [name, next] of Object.entries(nexts)) {
  const times = [];
  for (let at = next(first); at - first < 4 * 3600e3; at = next(at))
    times.push(at.toLocaleTimeString("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }));
  console.log(name, ...times);
}
END

# runs EXPRESSION INSTANT DAY: the runs in the four hours from the instant on.
runs() {
  echo "$1 on $3"
  { go run . "$1" "$2" && venv/bin/python runs.py "$1" "$2" && node runs.mjs "$1" "$2"; } |
    while read -r name times; do printf '  %-11s %s\n' "$name" "${times:--}"; done
}
{
  runs "30 2 * * *" 2026-03-28T23:15:00Z "29 March"
  runs "30 2 * * *" 2026-10-24T22:15:00Z "25 October"
  runs "0 3 * * *" 2026-10-24T22:15:00Z "25 October" | grep -E 'Oct|robfig|cron '
  runs "30 * * * *" 2026-03-28T23:15:00Z "29 March" | grep -E 'March|robfig|cron '
} >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
