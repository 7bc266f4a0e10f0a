"""Checks of the crowd: keys, account, clock, portal, recruiter, mail, and the address of the pages."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx

from beat_the_ai.campaign.doctor.checks import check, fault, ok
from beat_the_ai.campaign.doctor.storing import skew
from beat_the_ai.campaign.doctor.subject import LOOPBACK, Subject
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.crowds import crowd_of
from beat_the_ai.crowds.own.portal import answers
from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.token import VARIABLE, has_token, read_token
from beat_the_ai.databases import schema_of
from beat_the_ai.errors import Declined, InvalidInput, Refused, Unanswered
from beat_the_ai.marketplace.market import MIGRATIONS, Market
from beat_the_ai.marketplace.people import mail
from beat_the_ai.marketplace.people.store import has_address, is_there, people_at, portal_address, store_url
from beat_the_ai.requester import Requester

Findings = Iterator[tuple[str, str | None]]
MOST_SKEW = timedelta(minutes=1)  # Mechanical Turk refuses requests that are five minutes old
ANSWER_SECONDS = 8.0
KEYS = "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as `beat-the-ai marketplace requester add` prints them."


def _with_keys(subject: Subject) -> Settings | None:
    """Return the settings where the crowd is one elsewhere, with keys of its own."""
    settings = subject.settings
    return settings if settings is not None and settings.crowd.provider == "mturk" else None


def _with_people(subject: Subject) -> tuple[Settings, str] | None:
    """Return the settings and the place where people of one's own are."""
    settings = subject.settings
    place = None if settings is None or not settings.crowd.is_marketplace else settings.crowd.people
    return None if settings is None or place is None else (settings, place)


@check("crowd_keys", KEYS)
def crowd_keys(subject: Subject) -> Findings:
    if (settings := _with_keys(subject)) is None:
        return
    if crowd_of(settings.crowd).has_keys(settings.crowd):
        yield ok("found where boto3 looks for them")
    else:
        yield fault("There are no keys for the crowd.", KEYS)


@check("crowd_account", "Is the crowd running? Name its address: crowd.endpoint_url=URL or AWS_ENDPOINT_URL_MTURK.")
def crowd_account(subject: Subject) -> Findings:
    if (settings := _with_keys(subject)) is None or not crowd_of(settings.crowd).has_keys(settings.crowd):
        return
    with closing(_connected(settings)) as requester:
        try:
            balance = requester.balance_cents()
        except Declined as error:
            yield fault(f"The crowd refuses these keys: {error}", KEYS)
            return
        needed = settings.pay.reward_cents
        if balance < needed:
            said = f"The account has {settings.crowd.amount(balance)}, and a HIT pays {settings.crowd.amount(needed)}."
            yield fault(said, "Deposit money at the crowd.")
        else:
            yield ok(f"{settings.crowd.amount(balance)} can be spent")
        if requester.charges_fees() != settings.pay.fees:
            charges = "charges fees" if not settings.pay.fees else "charges no fees"
            mend = f"Set pay.fees={str(not settings.pay.fees).lower()}."
            yield fault(f"The crowd {charges}, and pay.fees={str(settings.pay.fees).lower()}.", mend)


@check("crowd_clock", "Set the clock by NTP: timedatectl set-ntp true.")
def crowd_clock(subject: Subject) -> Findings:
    """Any answer will do: it has a Date."""
    if (settings := _with_keys(subject)) is None:
        return
    with closing(_connected(settings)) as requester:
        address = str(requester.client.meta.endpoint_url)
    try:
        date = httpx.get(address, timeout=ANSWER_SECONDS, trust_env=False).headers.get("Date")
    except httpx.HTTPError as error:
        mend = "Is it running? Name its address: crowd.endpoint_url=URL, or AWS_ENDPOINT_URL_MTURK."
        yield fault(f"The crowd at {address} does not answer: {error}.", mend)
        return
    if date is not None:
        yield skew("the crowd's", parsedate_to_datetime(date), MOST_SKEW)


def _connected(settings: Settings) -> Requester:
    return Requester.connect(settings.crowd.endpoint_url, sleep=lambda _: None)


@contextmanager
def _opened(place: str) -> Iterator[Market]:
    """Open the store of people as it is. Raises `Refused` where that would migrate it."""
    schema = schema_of(store_url(place), MIGRATIONS)
    if not schema.is_current:
        raise Refused(f"The people have schema {schema.version}, and this version {schema.newest}.")
    with people_at(place) as market:
        yield market


@check("people", "Name the right place: crowd.people=PLACE. `beat-the-ai people import` adds people.")
def people(subject: Subject) -> Findings:
    if (found := _with_people(subject)) is None:
        return
    settings, place = found
    if not is_there(place):
        if settings.crowd.provider == "own":
            mend = (
                f"Add some (beat-the-ai people import FILE --people {place}), or name their place: crowd.people=PLACE."
            )
            yield fault(f"There are no people in {place} yet.", mend)
        return
    with _opened(place):
        yield ok(place)


@check("portal", "Start it: beat-the-ai people serve.")
def portal(subject: Subject) -> Findings:
    """A portal on this machine starts with the campaign, unless something else has its port."""
    if (found := _with_people(subject)) is None or found[0].crowd.endpoint_url is None:
        return
    settings, place = found
    address = str(settings.crowd.endpoint_url).rstrip("/")
    parts = urlsplit(address)
    if answers(address):
        yield ok(f"answers at {address}")
    elif parts.hostname not in LOOPBACK or subject.served:
        yield fault(f"No portal answers at {address}.", f"Start it there: beat-the-ai people serve --people {place}.")
    elif _is_taken(str(parts.hostname), parts.port or 80):
        mend = f"Stop what holds port {parts.port or 80}, or choose another: crowd.endpoint_url=URL."
        yield fault(f"Something that is no portal listens at {address}.", mend)
    else:
        yield ok(f"starts with the campaign at {address}")


def _is_taken(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
        tried.settimeout(ANSWER_SECONDS)
        return tried.connect_ex((host, port)) == 0


@check("portal_address", "Let your proxy pass it to the portal, or say another: beat-the-ai people address URL.")
def portal_address_(subject: Subject) -> Findings:
    """The address in letters and links; asked only where it is not this machine's."""
    if (found := _with_people(subject)) is None or not is_there(found[1]):
        return
    with _opened(found[1]) as market, market.reading() as moment:
        address = portal_address(moment)
        is_said = has_address(moment)
    host = urlsplit(address).hostname
    if host in LOOPBACK:
        if is_said and found[0].crowd.page_url is not None:
            mend = f"Say the address that people reach: beat-the-ai people address https://… --people {found[1]}"
            yield fault(f"Letters and links lead to {address}, which is this machine only.", mend)
        return
    if not address.startswith("https://"):
        mend = f"Put a proxy with TLS before it: beat-the-ai people address https://{host} --people {found[1]}"
        yield fault(f"People reach the portal without TLS: {address}.", mend)
    yield _reached("the portal", address, "Let your proxy pass this address to the portal, and check its certificate.")


@check("prolific", "Set PROLIFIC_TOKEN and crowd.prolific.workspace as Prolific shows them.")
def prolific(subject: Subject) -> Findings:
    settings = subject.settings
    if settings is None or settings.crowd.provider != "prolific" or settings.crowd.people is None:
        return
    terms = settings.crowd.prolific
    if terms is None:
        yield fault("crowd.prolific is not set.", "Set crowd.prolific.workspace and crowd.prolific.minutes.")
        return
    if not has_token(settings.crowd.people):
        yield fault("There is no token for Prolific.", f"Set {VARIABLE}, as Prolific shows it under Settings.")
        return
    client = ProlificClient(terms.api_url, read_token(settings.crowd.people), tries=1, timeout_seconds=ANSWER_SECONDS)
    with closing(client):
        try:
            balance = client.get_workspace_balance(terms.workspace)
        except (Declined, Unanswered) as error:
            mend = f"Set {VARIABLE} and crowd.prolific.workspace as Prolific shows them; is this machine online?"
            yield fault(f"The workspace {terms.workspace} cannot be read with this token: {error}", mend)
            return
    crowd = settings.crowd
    if balance.currency_code not in (None, crowd.unit):
        yield fault(
            f"The workspace has {balance.currency_code}, and the campaign {crowd.unit}.",
            f"Set crowd.unit={balance.currency_code}.",
        )
    if balance.available_balance < settings.pay.reward_cents:
        said = f"The workspace has {crowd.amount(balance.available_balance)}, and a HIT pays more."
        yield fault(said, "Top it up at Prolific.")
    else:
        yield ok(f"workspace {terms.workspace}, {crowd.amount(balance.available_balance)}")


@check("mail", "Name the mail server anew: beat-the-ai people mail-server.")
def mail_server(subject: Subject) -> Findings:
    if (found := _with_people(subject)) is None or not is_there(found[1]):
        return
    with _opened(found[1]) as market, market.reading() as moment:
        server = mail.mail_server(moment)
    if server is None:
        return
    if server.lacks_password:
        yield fault(f"The password of {server.user} at {server.host} is missing.", f"Set {mail.PASSWORD_VARIABLE}.")
        return
    try:
        mail.greet(server)
    except InvalidInput as error:
        yield fault(str(error), "Start it, or name another: beat-the-ai people mail-server.")
    else:
        yield ok(f"{server.host} answers")


@check("page_url", "Let your proxy pass this address to the router: crowd.page_url=https://…")
def page_url(subject: Subject) -> Findings:
    """The address where workers reach the pages of HITs."""
    settings = subject.settings
    if settings is None or not settings.crowd.is_marketplace:
        return
    address = settings.crowd.page_url
    if address is None:
        host = urlsplit(settings.crowd.endpoint_url or "").hostname
        if host is not None and host not in LOOPBACK:
            mend = "Put a proxy with TLS before the router, and say its address: crowd.page_url=https://…"
            yield fault("Workers of a crowd elsewhere are sent to this machine's own address.", mend)
        return
    host = urlsplit(address).hostname
    if not address.startswith("https://") and host not in LOOPBACK:
        yield fault(f"{address} has no TLS; browsers show it in no frame.", "Let it begin with https://.")
    yield _reached("the router", address, "Let your proxy pass this address to the router, and check its certificate.")


def _reached(what: str, address: str, mend: str) -> tuple[str, str | None]:
    """Ask whether anything answers there: before a campaign is served a proxy says that nothing is behind it."""
    try:
        answer = httpx.get(f"{address.rstrip('/')}/health", timeout=ANSWER_SECONDS, trust_env=False)
    except httpx.HTTPError as error:
        return fault(f"Nobody reaches {what} at {address}: {error}.", mend)
    return ok(f"{address} answers ({answer.status_code})")
