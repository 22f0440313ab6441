"""The core reads no clock, starts no thread, draws no randomness, reads no environment, opens no socket: `nm` lists its
undefined symbols."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

FORBIDDEN = {
    "a clock": r"(clock_gettime|clock|time|gettimeofday|timespec_get|localtime(_r)?|mktime|ftime)$"
    r"|std::chrono::(_V2::)?(system|steady|high_resolution)_clock::now",
    "a thread": r"(pthread_create|thrd_create|clone3?)$|std::thread::|std::jthread|std::this_thread",
    "randomness": r"(s?rand(_r|om)?|[dlm]rand48|arc4random.*|getrandom|getentropy|RAND_\w+|sqlite3_randomness)$"
    r"|std::random_device",
    "the environment": r"((secure_)?getenv|setenv|putenv|environ|getcwd|gethostname|getpid|getuid)$",
    "a socket": r"(socket|connect|bind|listen|accept4?|send(to|msg)?|recv(from|msg)?|getaddrinfo)$",
    "a process": r"(v?fork|posix_spawnp?|exec[lv]p?e?|system|popen|kill|signal|sigaction)$",
    "a nap": r"((u|nano|clock_nano)?sleep|sched_yield)$|std::this_thread::__?sleep",
    "the screen": r"(printf|puts|putchar|fprintf|vprintf)$|std::(cout|cerr|clog|cin)\b",
}


def violations(listing: str) -> list[str]:
    """Reads the output of `nm --undefined-only --demangle --print-file-name`."""
    found = []
    for line in listing.splitlines():
        match = re.match(r"(?P<file>\S+?):?\s+[Uwv] (?P<symbol>.+)$", line)
        if not match:
            continue
        file = re.split(r"[:/]", match["file"].rstrip(":"))[-1]
        symbol = match["symbol"].split("@")[0]
        for what, pattern in FORBIDDEN.items():
            if re.match(pattern, symbol):
                found.append(f"{file} asks for {what}: {symbol}")
    return found


def undefined_symbols(library: str) -> str:
    command = ["nm", "--undefined-only", "--demangle", "--print-file-name", library]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Purity(unittest.TestCase):
    @unittest.skipUnless("ORLOP_CORE_LIBRARY" in os.environ, "run by ctest, which names the library")
    def test_the_core_asks_for_nothing_of_the_machine(self) -> None:
        listing = undefined_symbols(os.environ["ORLOP_CORE_LIBRARY"])
        self.assertIn(" U ", listing)
        self.assertEqual(violations(listing), [])

    @unittest.skipUnless(shutil.which("c++"), "needs a compiler")
    def test_planted_calls_are_found(self) -> None:
        planted = """
            #include <chrono>
            #include <cstdlib>
            #include <ctime>
            #include <iostream>
            #include <random>
            #include <sys/socket.h>
            #include <thread>
            #include <unistd.h>
            long all() {
              std::thread([] {}).join();
              std::random_device device;
              std::cout << getenv("HOME") << rand() << fork() << socket(1, 1, 1) << sleep(1);
              return time(nullptr) + std::chrono::system_clock::now().time_since_epoch().count() + device();
            }"""
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(
                ["c++", "-std=c++20", "-c", "-x", "c++", "-", "-o", f"{place}/planted.o"],
                input=planted,
                text=True,
                check=True,
            )
            found = " ".join(violations(undefined_symbols(f"{place}/planted.o")))
        for call in (
            "time",
            "system_clock::now",
            "std::thread",
            "random_device",
            "getenv",
            "rand",
            "fork",
            "socket",
            "sleep",
            "cout",
        ):
            self.assertIn(call, found)

    def test_lawful_calls_are_not(self) -> None:
        lawful = (
            "memcpy",
            "gmtime_r",
            "timegm",
            "std::condition_variable::notify_all()",
            "pthread_mutex_lock",
            "strtime",
            "snprintf",
        )
        self.assertEqual(violations("\n".join(f"libcore.a:a.cpp.o:                 U {name}" for name in lawful)), [])


if __name__ == "__main__":
    unittest.main()
