"""E-mail over a real SMTP server."""

from __future__ import annotations

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import mail
from beat_the_ai.marketplace.people.mail import PASSWORD_VARIABLE, Letter, check_server, send
from tests.marketplace.people.post_office import PostOffice
from tests.ports import free_port

SENDER = "The lab <lab@example.org>"
LETTERS = [Letter(name, f"{name[0].lower()}@example.org", "Come", f"Hello {name}") for name in ("Ada", "Bo", "Cy")]


def test_letters_arrive_with_names_of_any_kind() -> None:
    name = 'Zoë, "the" <lab>'
    with PostOffice().open() as office:
        [sent] = send(check_server(office.url, SENDER), [Letter(name, "zoe@example.org", "Über", "Grüße\n.\nEnd")])
    [(address, letter)] = office.taken
    assert (sent.refusal, address, letter["to"].addresses[0].display_name) == ("", "zoe@example.org", name)
    assert letter["from"].addresses[0].addr_spec == "lab@example.org"
    assert (letter["subject"], letter.get_content().split()) == ("Über", ["Grüße", ".", "End"])
    assert letter["message-id"]
    assert letter["date"]


def test_who_is_refused_is_said_and_the_others_get_theirs() -> None:
    with PostOffice(unknown={"b@example.org"}).open() as office:
        sent = list(send(check_server(office.url, SENDER), LETTERS))
    assert [one.refusal for one in sent] == ["", "550 5.1.1 No such person <b>here</b>", ""]
    assert [address for address, _ in office.taken] == ["a@example.org", "c@example.org"]


def test_a_letter_that_cannot_be_written_is_refused_and_the_others_get_theirs() -> None:
    hostile = Letter("Ada\r\nBcc: all@example.org", "a@example.org", "Come\r\nBcc: all@example.org", "Hello")
    odd = Letter("Ada", "a..b@example.org", "Come", "Hello")
    with PostOffice().open() as office:
        sent = list(send(check_server(office.url, SENDER), [hostile, odd, LETTERS[1]]))
    assert [bool(one.refusal) for one in sent] == [True, True, False]
    assert [address for address, _ in office.taken] == ["b@example.org"]


@pytest.mark.parametrize("name", ["Lab, The", 'The "best" lab', "Zoë (NLP)"])
def test_a_sender_of_any_name_is_one_address(name: str) -> None:
    escaped = name.replace('"', '\\"')
    with PostOffice().open() as office:
        server = check_server(office.url, f'"{escaped}" <lab@example.org>')
        assert server.domain == "example.org"
        list(send(server, LETTERS[:1]))
    [sender] = office.taken[0][1]["from"].addresses
    assert (sender.display_name, sender.addr_spec) == (name, "lab@example.org")


def test_a_server_that_asks_for_a_password_gets_the_one_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with PostOffice(user=("lab", "secret")).open() as office:
        server = check_server(office.url, SENDER)
        monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
        with pytest.raises(InvalidInput, match=f"{PASSWORD_VARIABLE} is not set"):
            list(send(server, LETTERS))
        monkeypatch.setenv(PASSWORD_VARIABLE, "wrong")
        with pytest.raises(InvalidInput, match=r"127\.0\.0\.1 cannot be used: .*535"):
            list(send(server, LETTERS))
        monkeypatch.setenv(PASSWORD_VARIABLE, "secret")
        assert [one.refusal for one in send(server, LETTERS)] == ["", "", ""]


def test_a_server_that_is_away_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"mail server 127\.0\.0\.1 cannot be used"):
        list(send(check_server(f"smtp://127.0.0.1:{free_port()}", SENDER), LETTERS))


def test_nothing_is_sent_without_tls_to_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server on this machine offers none; under a name that is not this machine's, that is an error."""
    with PostOffice().open() as office:
        monkeypatch.setattr(mail, "THIS_MACHINE", ())
        with pytest.raises(InvalidInput, match=r"(?i)starttls"):
            list(send(check_server(office.url, SENDER), LETTERS))
    assert office.taken == []


@pytest.mark.parametrize(
    ("url", "sender", "said"),
    [
        ("https://mail.example.org", SENDER, "is no mail server"),
        ("smtp://", SENDER, "is no mail server"),
        ("smtp://mail.example.org:port", SENDER, "is no mail server"),
        ("smtp://lab:secret@mail.example.org", SENDER, PASSWORD_VARIABLE),
        ("smtp://mail.example.org", "The lab", "is no e-mail address"),
        ("smtp://mail.example.org", "", "is no sender"),
    ],
)
def test_what_cannot_be_a_server_or_a_sender_is_refused(url: str, sender: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        check_server(url, sender)
    assert "secret" not in str(caught.value)


def test_the_store_keeps_one_server_and_no_password(market: Market) -> None:
    with market.writing() as moment:
        assert mail.mail_server(moment) is None
        for url in ("smtp://one@mail.example.org", "smtps://two@mail.example.org:466"):
            mail.keep_server(moment, check_server(url, SENDER))
        assert mail.mail_server(moment) == mail.MailServer("smtps://two@mail.example.org:466", SENDER)
        mail.keep_server(moment, None)
        assert mail.mail_server(moment) is None
