"""What a Dockerfile declares: arguments and images, behind heredocs, continued lines, comments and references."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orlop.externals.dockerfiles import declarations


@pytest.mark.parametrize(
    ("text", "arguments", "images"),
    [
        ("", [], []),
        ("FROM alpine", [], ["alpine"]),
        ("from alpine as a\nFROM A\nFROM scratch\nFROM debian:12", [], ["alpine", "debian:12"]),
        ("FROM --platform=$BUILDPLATFORM golang:1.22 AS build", [], ["golang:1.22"]),
        ("ARG V=3\nFROM a:${V}\nARG W\nARG V", ["V", "W"], ["a:3"]),
        ("ARG A=1 B='x y' C\nFROM ${D:-b}:$A", ["A", "B", "C"], ["b:1"]),
        ("ARG V\nFROM a:$V", ["V"], ["a:$V"]),
        ("ARG R=r\nARG I=$R/i\nFROM ${I}:${T:+x}${R:+y}", ["R", "I"], ["r/i:y"]),
        ("# a comment\n\nFROM \\\n  # within\n\n  alpine\n", [], ["alpine"]),
        ("# escape=`\nFROM `\n alpine\nRUN dir C:\\\nFROM b", [], ["alpine", "b"]),
        ("#syntax=docker/dockerfile:1\n#escape=`\nRUN a `\nFROM x\nFROM y", [], ["y"]),
        ("FROM a\nRUN <<EOF\nFROM x\nARG Y\nEOF\nARG Z", ["Z"], ["a"]),
        ("FROM a\nRUN <<-'E1' cat <<\"E2\"\n\tFROM x\n\tE1\nFROM y\nE2\nFROM z", [], ["a", "z"]),
        ("FROM a\nCOPY <<never /x\nFROM b", [], ["a"]),
        ("FROM a\nCMD echo <<EOF\nFROM b", [], ["a", "b"]),
        ("\ufeffFROM a\r\nARG X\r\n", ["X"], ["a"]),
        ("FROM a\nONBUILD ARG X\nLABEL FROM=b", [], ["a"]),
        ("ARG \"quote\nFROM 'a'\nFROM\nARG =x\nARG 1x", [], ["a"]),
        ("FROM a AS x\nFROM x AS y\nFROM y", [], ["a"]),
    ],
)
def test_declarations(text: str, arguments: list[str], images: list[str]) -> None:
    assert declarations(text) == (arguments, images)


@given(st.text(alphabet=st.sampled_from("FROMARGN \n\t\\`#<-E'\"$={}:"), max_size=200))
def test_any_text_is_read(text: str) -> None:
    found = declarations(text)
    assert len(set(found.images)) == len(found.images)
    assert len(set(found.arguments)) == len(found.arguments)
