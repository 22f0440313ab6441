// Writes times.txt: how the parser of Kubernetes reads cron schedules, and when they come.
//
//	cd tests/tables/cron && ZONEINFO=…/tzdata/zoneinfo go run . >times.txt
//
// ZONEINFO is the folder of that name in the package tzdata of PyPI.
package main

import (
	"fmt"
	"math/rand"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Kubernetes 1.34, pkg/apis/batch/validation: a schedule holds no TZ, and the parser reads it.
func parse(text string) (schedule cron.Schedule, err error) {
	if strings.Contains(text, "TZ") {
		return nil, fmt.Errorf("TZ")
	}
	return cron.ParseStandard(text)
}

func quoted(text string) string {
	return strings.NewReplacer("\\", "\\\\", "\t", "\\t", "\n", "\\n", "\u00a0", "\\s").Replace(text)
}

func line(text, zone, from string, count int) {
	schedule, err := parse(text)
	fmt.Printf("%s | ", quoted(text))
	if err != nil {
		fmt.Println("refused")
		return
	}
	location, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	at, err := time.Parse(time.RFC3339Nano, from)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s | %s |", zone, from)
	at = at.In(location)
	for i := 0; i < count; i++ {
		at = schedule.Next(at)
		if at.IsZero() {
			fmt.Print(" never")
			break
		}
		fmt.Printf(" %s", at.UTC().Format("2006-01-02T15:04:05Z"))
	}
	fmt.Println()
}

const winter = "2026-01-01T00:00:00Z"

var written = strings.Split(`* * * * *|*/5 0-6 1,15 jan-mar mon|0 0 1 1 0|0-30/10 * * * sun|0 0 */2 * 3|0 0 1-31/2 * 3|0 0 */2 * *|0 0 */1 * 3|0 0 * * 3|0 0 ? * 3|0 0 13 * ?|0 0 ?/2 * 1
0 0 *,5 * 1|0 0 5,* * 1|0 0 */2,* * 1|0 0 */2 * */3|0 0 * * */1|0 0 13 * */1|0 0 13 * */2|0 0 13 * 0-6|0 0 1-31 * 5|0 0 13 * fri|0 0 13 * mon-fri/2|5/20 * * * *|0 20/2,3 * * *|0 0 * * mon/2
*/100 * * * *|*/59 * * * *|*/60 * * * *|0 */24 * * *|0 0 */32 * *|0 0 1 */13 *|0 0 * * */7|1,,2 * * * *|,1 * * * *|1, * * * *|, * * * *|0 , * * *|0 0 , * *|0 0 , * 1|0 0 1 , *|0 0 * * ,|0 0 1 * ,
*-5 * * * *|?-x * * * *|*-1-2/30 * * * *|+5 +3 * * *|005 03 * * *|0 0 01 1 00|-1 * * * *|1-2-3 * * * *|1/2/3 * * * *|1/ * * * *|/2 * * * *|*/0 * * * *|*/-1 * * * *|*/+2 * * * *|5-1 * * * *|60 * * * *|0-60 * * * *
* 24 * * *|* * 0 * *|* * 32 * *|* * * 0 *|* * * 13 *|* * * * 7|* * * * 0-7|* * * * 7/2|* * * * sun-7|* * * * 6-7|* * * * sunday|* * * JAN Mon|* * * juli *|* * * sep-nov *|* * * nov-jan *|* * * * fri-mon|a * * * *|* * L * *|* * * * 5#2|* * 15W * *|H * * * *
1_0 * * * *|1.5 * * * *|0x5 * * * *|99999999999999999999 * * * *|*/9223372036854775807 * * * *|*/9223372036854775808 * * * *
0 0 31 2 *|0 0 30 2 *|0 0 29 2 *|0 0 31 4,6,9,11 *|0 0 31 4,5 *|0 0 31 2 mon|0 0 30-31 2 */2|0 0 */7 2 *|0 0 31 feb-feb *|0 0 30 2 ?
||* * * *|* * * * * *|0 0 1 1 * 2026| 0  3  *  * * |@hourly|@daily|@midnight|@weekly|@monthly|@yearly|@annually|@Hourly|@reboot|@every|@|@ hourly|@hourly |@every 1h30m|@every 90s|@every 1.5h|@every 0|@every 500ms|@every -1h
@every 1h 30m|@every  1h|@every 1|@every 1d|@every h|@every .5h|@every 1.h|@every .h|@every 1h1h|@every 1500ms|@every 2562047h|@every 2562048h|@every 1µs|@every 1μs|@every 1us1ns|@every +90m|@every 1H|@every 0.1s|@every 61.999s
TZ=UTC 0 3 * * *|CRON_TZ=Europe/Paris 0 3 * * *|TZ=UTC|TZ=|*-TZ * * * *|tz=UTC 0 3 * * *|TZ=UTC @hourly|0 3 * * * TZ=UTC|@every 1hTZ`, "|")

// Days on which clocks change, the evening before.
var changes = [][2]string{
	{"Europe/Paris", "2026-03-27T20:15:00Z"}, {"Europe/Paris", "2026-10-23T20:15:00Z"}, {"America/New_York", "2026-03-06T20:00:00Z"}, {"America/New_York", "2026-10-30T20:00:00Z"},
	{"Europe/London", "2026-03-27T20:00:00Z"}, {"Europe/London", "2026-10-23T20:00:00Z"}, {"Africa/Cairo", "2026-04-22T20:00:00Z"}, {"Africa/Cairo", "2026-10-28T12:00:00Z"},
	{"Australia/Lord_Howe", "2026-10-02T10:00:00Z"}, {"Australia/Lord_Howe", "2026-04-03T10:00:00Z"}, {"Asia/Beirut", "2026-03-27T10:00:00Z"}, {"America/Santiago", "2026-09-04T20:00:00Z"},
	{"America/Santiago", "2026-04-03T20:00:00Z"}, {"America/Nuuk", "2026-03-27T20:00:00Z"}, {"Pacific/Chatham", "2026-09-25T10:00:00Z"}, {"Antarctica/Troll", "2026-03-27T20:00:00Z"}, {"Antarctica/Troll", "2026-10-23T20:00:00Z"},
}
var atChanges = strings.Split("30 2 * * *|0 2 * * *|0 3 * * *|30 1 * * *|0 0 * * *|30 0 * * *|0 * * * *|*/30 2 * * *|15 */2 * * *|0 0 * * 0|0 1 29 3 *|45 23 * * *|0 1-3 * * *|59 1 * * sun|@hourly|@daily|@every 45m", "|")

func pick(random *rand.Rand, least, most int, names string) string {
	number := func() string {
		value := least + random.Intn(most-least+1)
		if names != "" && random.Intn(3) == 0 {
			return names[(value-least)*3 : (value-least)*3+3]
		}
		return fmt.Sprint(value)
	}
	part := func() string {
		switch random.Intn(9) {
		case 0, 1:
			return "*"
		case 2:
			return "?"
		case 3:
			return fmt.Sprintf("*/%d", 1+random.Intn(most))
		case 4:
			return fmt.Sprintf("%s-%s", number(), number())
		case 5:
			return fmt.Sprintf("%s-%s/%d", number(), number(), random.Intn(5))
		case 6:
			return fmt.Sprintf("%s/%d", number(), 1+random.Intn(most))
		}
		return number()
	}
	text := part()
	for random.Intn(4) == 0 {
		text += "," + part()
	}
	return text
}

func main() {
	fmt.Println("# How Kubernetes reads cron schedules, and when they come: schedule (\\t tab, \\n line feed, \\s no-break space) | time zone | after | the next times, or: refused.")
	fmt.Println("# Written by main.go in this folder with github.com/robfig/cron/v3 v3.0.1, which Kubernetes uses, and the time zones of the package tzdata of PyPI.")
	for _, text := range written {
		for _, each := range strings.Split(text, "\n") {
			line(each, "Etc/UTC", winter, 3)
		}
	}
	for _, text := range []string{"0\t3\t*\t*\t*", "\t0 3 * * *\n", "0\u00a03 * * *", "0\u20033 * * *", "\t@hourly", "@hourly\t", "@every\t1h"} {
		line(text, "Etc/UTC", winter, 2)
	}
	line("0 0 29 2 *", "Etc/UTC", "2028-03-01T00:00:00Z", 1)
	line("0 0 29 2 *", "Etc/UTC", "2096-03-01T00:00:00Z", 1)
	line("* * * * *", "Etc/UTC", "2026-12-31T23:58:30.250Z", 2)
	line("@every 1h", "Etc/UTC", "2026-12-31T23:58:30.250Z", 2)
	line("0 3 * * *", "Pacific/Auckland", "2026-01-15T03:00:00.001Z", 2)
	for _, change := range changes {
		for _, text := range atChanges {
			line(text, change[0], change[1], 5)
		}
	}
	random := rand.New(rand.NewSource(57))
	for i := 0; i < 300; i++ {
		text := strings.Join([]string{pick(random, 0, 59, ""), pick(random, 0, 23, ""), pick(random, 1, 31, ""), pick(random, 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"),
			pick(random, 0, 6, "sunmontuewedthufrisat")}, " ")
		change := changes[random.Intn(len(changes))]
		line(text, change[0], change[1], 3)
	}
}
