"""What is fetched ahead is: a compiler that takes a function which only fetches for one without effect leaves its calls out, and nothing else would show it."""

import os
import re
import shutil
import subprocess
import unittest

CORE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "core")
FETCHES = r"\b(prefetch\w*|prfm|pld|dcbt)\b"  # of x86, Arm and POWER


def assembly(program: str) -> str:
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O3", "-I", CORE, "-S", "-x", "c++", "-", "-o", "-"]
    return subprocess.run(command, input=program, check=True, capture_output=True, text=True).stdout


@unittest.skipUnless(shutil.which(os.environ.get("CXX", "c++")), "needs a compiler")
class Fetches(unittest.TestCase):
    def test_those_of_a_map_are_left_where_they_are_called_through_others(self) -> None:
        fetched = assembly("""
            #include "base/flat_map.h"
            using Map = orlop::FlatMap<long, long>;
            [[gnu::noinline]] static void fetch_one(const Map& map, long key) { map.fetch_place(key); map.fetch_entry(key); }
            void fetch_two(const Map& map) { fetch_one(map, 1); fetch_one(map, 2); }""")
        self.assertGreaterEqual(len(re.findall(FETCHES, fetched)), 2, "the place and the entry")

    def test_a_program_without_any_has_none(self) -> None:
        self.assertNotRegex(assembly("int answer() { return 42; }"), FETCHES)


if __name__ == "__main__":
    unittest.main()
