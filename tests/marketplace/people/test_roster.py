"""Lists of people as requesters have them."""

from __future__ import annotations

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.people.person import NewPerson
from beat_the_ai.marketplace.people.roster import MAX_BYTES, read_roster

ADA, BO = NewPerson("Ada Byron", "ada@example.org", ("class",)), NewPerson("Bo Li", None)


@pytest.mark.parametrize(
    "content",
    [
        b"name,email,group\nAda Byron,ada@example.org,class\nBo Li,,\n",
        b"\xef\xbb\xbfname,email,group\r\nAda Byron,ada@example.org,class\r\nBo Li,,\r\n",
        "name\temail\tgroup\nAda Byron\tada@example.org\tclass\nBo Li\t\t\n".encode("utf-16"),
        b"E-Mail;Name;Groups;Seat\n ADA@Example.org ;Ada Byron;class; 4\n;Bo Li;;\n\n",
        b'"name","email","group"\n"Ada Byron","ada@example.org","class; class"\n"Bo Li","",""',
        b"group,group,name,email\nclass,,Ada Byron,ada@example.org\n,,Bo Li,\n",
        b"Surname,First name,E-mail address,Group\nByron,Ada,ada@example.org,class\nLi,Bo,,\n",
    ],
    ids=["plain", "of-excel", "utf-16", "semicolons", "quoted", "two-groups", "two-names"],
)
def test_a_table_is_read_however_it_was_saved(content: bytes) -> None:
    assert read_roster(content, "class.csv").people == (ADA, BO)


def test_a_list_without_a_header_has_an_address_or_a_name_on_each_line() -> None:
    read = read_roster(b'ada@example.org\nBo Li\n\nADA@example.org\n"Li, Cy" <cy@example.org>\n', "class.txt")
    assert read.people == (
        NewPerson("ada", "ada@example.org"),
        NewPerson("Bo Li"),
        NewPerson("Li, Cy", "cy@example.org"),
    )
    assert read.repeated == 1


def test_a_name_with_a_comma_a_quote_and_a_line_break_is_one_name() -> None:
    [person] = read_roster(b'name\n"Byron, ""Ada""\nCountess"\n', "class.csv").people
    assert person.name == 'Byron, "Ada" Countess'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"name,email\n", "nobody below it"),
        (b"group,country\nclass,US\n", "neither name nor email"),
        (b"Ada Byron,ada@example.org\n", "several columns and no header"),
        (b"name\n=cmd|' /C calc'!A0\n", "line 2.*begins like a formula"),
        (b"name\n+49 30 1234 Ada\n", "line 2.*begins like a formula"),
        ("name\n\uff1dcmd A0\n".encode(), "line 2.*begins like a formula"),
        (b"(" * 100_000 + b"@example.org\n", "line 1: 100,012 characters"),
        (b"email\na..b@example.org\n", "line 2: 'a..b@example.org' is no e-mail address"),
        (b"email\nada@example\n", "line 2: 'ada@example' is no e-mail address"),
        (b"email\nada@example.org\nx\r\nBcc: all@example.org\n", "line 3"),
        (b"email,name\n=1+1@example.org,Ada\n", "is no e-mail address"),
        (b"name,country\nAda,Britain\n", "'Britain' is no country"),
        (b"name,group\nAda,<b>\n", "is no name of a group"),
        (b"name\n<script>alert(1)</script>\n", "markup"),
        (b"name,email\nAda,ada@example.org,x,y\n", "4 fields, and the header names 2"),
        (b'name\n"Ada\n', "line 2: unexpected end of data"),
        (b"name\nZo\xeb\n", "no text in UTF-8 .byte 7."),
        (b"name,email\nAda,\n;,\n", "line 3: ';' is no name"),
        (b"name,group\n,lab\n", "line 2: a name or an e-mail address is needed"),
        (b"x" * (MAX_BYTES + 1), "at most 20,000,000 are read"),
    ],
)
def test_a_list_with_a_fault_is_refused_as_a_whole_with_the_line(content: bytes, said: str) -> None:
    with pytest.raises(InvalidInput, match=f"(?s){said}") as caught:
        read_roster(content, "class.csv")
    assert "class.csv" in str(caught.value)


def test_all_faults_are_said_at_once_up_to_twenty() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_roster(b"email\n" + b"nobody\n" * 30, "class.csv")
    assert str(caught.value).count("line ") == 20
    assert str(caught.value).endswith(" and 10 more")
