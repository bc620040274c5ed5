"""One strict reading of a URL: what is accepted every parser reads alike, the rest is refused."""

import json
from urllib.parse import urlsplit

import ada_url
import pytest
from adjudicator.config.limits import URL_CHARS
from adjudicator.domain.facet import ArgumentKind, ArgumentSpec, Facet, Opacity
from adjudicator.domain.url import DEFAULT_PORTS, Host, Url
from adjudicator.facets.bounds import InvalidArgumentError
from adjudicator.facets.derive import derive
from hypothesis import example, given
from hypothesis import strategies as st

SPEC = ArgumentSpec("/url", ArgumentKind.URL)


def one(url):
    """The only facet of a call with this URL."""
    (facet,) = derive({"url": url}, (SPEC,), "/srv/app", {})
    return facet


NORMALISED = [
    ("https://example.com", "https://example.com/"),
    ("https://example.com/", "https://example.com/"),
    ("HTTPS://Example.COM:443/A?b#c", "https://example.com/A?b"),
    ("http://example.com:443/", "http://example.com:443/"),
    ("http://example.com:80/", "http://example.com/"),
    ("ws://h/a/./b/../c", "ws://h/a/c"),
    ("https://h/a/..", "https://h/"),
    ("https://h/a/b/.", "https://h/a/b/"),
    ("https://h/../../a", "https://h/a"),
    ("https://h/a//b", "https://h/a//b"),
    ("https://h/a%20b", "https://h/a%20b"),
    ("https://h/@name:1/x;y=1", "https://h/@name:1/x;y=1"),
    ("https://h/?q=http://other@host/#x", "https://h/?q=http://other@host/"),
    ("https://h/#@other/?q", "https://h/"),
    ("ftp://192.0.2.1:2121/a", "ftp://192.0.2.1:2121/a"),
    ("http://[2001:DB8:0:0::1]/", "http://[2001:db8::1]/"),
    ("http://[::1]:8080/", "http://[::1]:8080/"),
    ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
    ("http://1.2.3.4.example/", "http://1.2.3.4.example/"),
]


@pytest.mark.parametrize(("url", "text"), NORMALISED)
def test_a_url_is_normalised(url, text):
    """Scheme and host in lower case, the default port and the fragment left out, dots resolved."""
    facet = one(url)
    assert (facet.text, facet.opaque) == (text, None)
    assert one(text).text == text


def test_the_parts_of_a_url():
    """What patterns look at, read once."""
    assert one("HTTPS://API.example.com/v1/../a%2Db/?x").url == Url(
        "https", Host(("api", "example", "com")), 443, "/v1/../a%2Db/", ("a%2Db", ""), has_query=True
    )
    assert one("http://10.0.0.1:8080").url == Url(
        "http", Host(("10", "0", "0", "1"), is_address=True), 8080, "", ("",)
    )


INVALID = [
    ("", "absolute URL"),
    ("example.com", "absolute URL"),
    ("/a", "absolute URL"),
    ("//example.com/a", "absolute URL"),
    ("https:/example.com", "absolute URL"),
    ("https:example.com", "absolute URL"),
    ("https:///example.com", "names no host"),
    ("https://", "names no host"),
    ("://h.test", "absolute URL"),
    ("1http://example.com", "absolute URL"),
    ("file:///etc/passwd", "scheme is not understood; write one of http, https, ws, wss, ftp"),
    ("gopher://example.com/_x", "scheme is not understood"),
    ("javascript://example.com/%0aalert", "scheme is not understood"),
    ("data:text/plain,x", "absolute URL"),
    ("view-source:https://example.com/", "absolute URL"),
    ("https://example.com?x", "write a `/` after it"),
    ("https://example.com#x", "write a `/` after it"),
    ("https://attacker.test\0.google.com/", "control character"),
    ("http://a.test\t.evil.test/", "control character"),
    ("http://a.test/\r\nHost: b", "control character"),
    ("http://a.test/a b", "blank"),
    (" http://a.test/", "blank"),
    ("http://a.test/\x7f", "control character"),
    ("http://example.test\\@evil.test/", "backslash"),
    ("http://127.0.0.1:66\\@1.1.1.1", "backslash"),
    ("http://h/a\\..\\b", "backslash"),
    ("http://\u24d4xample.test/", "xn--"),
    ("http://ex\u00e4mple.test/", "xn--"),
    ("http://example\u3002test/", "xn--"),
    ("http://h/\u00e9", "the rest encoded"),
    ("http://example.test%2f@evil.test/", "before the host"),
    ("http://user@evil.test/", "before the host"),
    ("http://user:word@evil.test/", "before the host"),
    ("http://@evil.test/", "before the host"),
    ("http://example.test:80@evil.test/", "before the host"),
    ("http://%65xample.test/", "labels"),
    ("http://exa_mple.test/", "labels"),
    ("http://a..test/", "labels"),
    ("http://.a.test/", "labels"),
    ("http://-a.test/", "labels"),
    ("http://a-.test/", "labels"),
    ("http://a!b.test/", "labels"),
    ("http://*.test/", "labels"),
    ("http://{a,b}.test/", "labels"),
    ("http://" + "a" * 64 + ".test/", "labels"),
    ("http://" + "a." * 127 + "test/", "labels"),
    ("http://a.test./", "ends with a dot"),
    ("http://a.test../", "ends with a dot"),
    ("http://./", "ends with a dot"),
    ("http://a.test:/", "port"),
    ("http://a.test:0/", "port"),
    ("http://a.test:080/", "port"),
    ("http://a.test:65536/", "port"),
    ("http://a.test:80:90/", "port"),
    ("http://a.test:+80/", "port"),
    ("http://a.test:8_0/", "port"),
    ("http://a.test:80a/", "port"),
    ("http://:80/", "labels"),
    ("http://0x7f.1/", "ends in a number"),
    ("http://127.1/", "ends in a number"),
    ("http://2130706433/", "ends in a number"),
    ("http://010.0.0.1/", "ends in a number"),
    ("http://0x7f000001/", "ends in a number"),
    ("http://1.2.3.256/", "ends in a number"),
    ("http://1.2.3.4.5/", "ends in a number"),
    ("http://a.b.0x/", "ends in a number"),
    ("http://example.007/", "ends in a number"),
    ("http://[::1/", "brackets"),
    ("http://::1/", "port"),
    ("http://[::1]a/", "brackets"),
    ("http://[::1%25eth0]/", "zone"),
    ("http://[fe80::1%eth0]/", "zone"),
    ("http://[]/", "IPv6"),
    ("http://[1.2.3.4]/", "IPv6"),
    ("http://[v1.x]/", "IPv6"),
    ("http://[::ffff:127.0.0.1]/", "stands for an IPv4 address"),
    ("http://[::ffff:7f00:1]/", "stands for an IPv4 address"),
    ("http://[::127.0.0.1]/", "stands for an IPv4 address"),
    ("http://[64:ff9b::7f00:1]/", "stands for an IPv4 address"),
    ("http://[2002:7f00:1::]/", "stands for an IPv4 address"),
    ("http://h/%", "percent-encode"),
    ("http://h/%4", "percent-encode"),
    ("http://h/%zz", "percent-encode"),
    ("http://h/[1-3]", "percent-encode"),
    ("http://h/{a,b}", "percent-encode"),
    ('http://h/"', "percent-encode"),
    ("http://h/%25252525252e", "over and over"),
    ("http://h/" + "a" * URL_CHARS, "longer than"),
]


@pytest.mark.parametrize(("url", "reason"), INVALID, ids=[ascii(case[0][:40]) for case in INVALID])
def test_what_two_parsers_could_read_differently_is_refused(url, reason):
    """The error names the argument and says what to write, and does not repeat the value."""
    with pytest.raises(InvalidArgumentError) as error:
        one(url)
    assert str(error.value).startswith("/url is no URL that can be judged: ")
    assert reason in str(error.value)
    assert len(url) < 12 or url not in str(error.value)


DOUBTED = [
    ("https://h/a/%2e%2e/b", Opacity.PATH),
    ("https://h/a/.%2E/b", Opacity.PATH),
    ("https://h/a/%252e%252e/b", Opacity.PATH),
    ("https://h/a%2fb", Opacity.PATH),
    ("https://h/a%252Fb", Opacity.PATH),
    ("https://h/a%5cb", Opacity.PATH),
    ("https://h/a/..;/b", Opacity.PATH),
    ("https://h/a/..%20/b", Opacity.PATH),
    ("https://h/a/..%3bx/b", Opacity.PATH),
    ("https://h/a//../b", Opacity.PATH),
    ("https://h/a%20/../b", Opacity.PATH),
    ("https://h/a/%ef%bc%8e%ef%bc%8e/b", Opacity.PATH),
    ("https://h/a%00b", Opacity.CHARACTER),
    ("https://h/a%0d%0ab", Opacity.CHARACTER),
    ("https://h/a%c0%aeb", Opacity.CHARACTER),
    ("https://h/a%e2%80%8bb", Opacity.CHARACTER),
]


@pytest.mark.parametrize(("url", "code"), DOUBTED)
def test_a_path_that_servers_read_differently_is_opaque(url, code):
    """Its host is certain, its path is not, so no Allow pattern matches it."""
    facet = one(url)
    assert facet.opaque.code is code
    assert facet.text == url


@pytest.mark.parametrize("url", ["https://h/a%2eb", "https://h/...", "https://h/a/../b", "https://h/a;b/c"])
def test_a_path_that_all_read_alike_is_not_opaque(url):
    """An encoded letter, three dots, a plain step up, a parameter."""
    assert one(url).opaque is None


@pytest.mark.parametrize("value", [None, 1, ["https://h/"], {"x": "https://h/"}])
def test_a_value_that_is_no_text_keeps_its_json_for_deny(value):
    """It has no parts, and no Allow pattern matches it."""
    facet = one(value)
    assert (facet.url, facet.misfit, facet.opaque.code) == (None, True, Opacity.FORM)
    assert json.loads(facet.text) == value


def test_each_url_of_a_call_is_a_facet():
    """Where a redirect came from does not hide where it leads."""
    specs = (SPEC, ArgumentSpec("/redirected_from", ArgumentKind.URL))
    arguments = {"url": "http://169.254.169.254/", "redirected_from": "https://api.example.test/"}
    assert [facet.url.host.labels[0] for facet in derive(arguments, specs, "", {})] == ["169", "api"]


# Laws ------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *("http", "HTTPS", "ftp", "file", "ws", "://", ":", "/", "//", "\\", "@", "?", "#", ".", "..", ";"),
        *("example.test", "a", "B", "xn--a", "127.0.0.1", "0x7f", "1", "010", "[::1]", "[", "]", "::", "%"),
        *(
            "%2e",
            "%2F",
            "%5c",
            "%00",
            "80",
            ":8080",
            ":443",
            ":80",
            "-",
            "_",
            "*",
            "{",
            " ",
            "\t",
            "\n",
            "\0",
        ),
        *("\u00df", "\uff0e", "\u3002", "\u24d4", "\u200d", "user", "&", "|", "^", '"', "~", "!", "'", "+"),
    ]
)
LIKE_A_URL = st.tuples(
    st.sampled_from(["http://", "https://", "HTTP://", "wss://", "ftp://", ""]),
    st.lists(PIECES, min_size=1, max_size=8).map("".join),
).map("".join)


def accepted(text):
    """The URL, or None where it is refused."""
    try:
        return one(text).url
    except InvalidArgumentError:
        return None


@given(LIKE_A_URL | st.text(max_size=40))
@example("http://a/b/../c?d#e")
@example("https://[2001:db8:0:1:0:0:0:1]:8443/x")
@example("http://[0:0:1::]/")
def test_other_parsers_read_what_is_accepted_in_the_same_way(text):
    """The URL standard of browsers (ada) and RFC 3986 (urllib) see the same scheme, host, port and path."""
    url = accepted(text)
    if url is None:
        return
    other = ada_url.URL(text)
    assert other.protocol == f"{url.scheme}:"
    assert other.hostname == str(url.host)
    assert int(other.port or DEFAULT_PORTS[url.scheme]) == url.port
    assert (other.username, other.password) == ("", "")
    assert bool(other.search) <= url.has_query
    if "%2e" not in url.path.lower():
        assert other.pathname == "/" + "/".join(url.segments)
    third = urlsplit(text)
    assert (third.scheme, third.username) == (url.scheme, None)
    assert third.hostname == str(url.host).strip("[]") or url.host.labels[0].startswith("[")
    assert (third.port or DEFAULT_PORTS[url.scheme], third.path) == (url.port, url.path)


@given(LIKE_A_URL | st.text(max_size=40))
def test_what_is_accepted_is_accepted_again_in_its_normal_form(text):
    """A facet's text means the same as what was sent."""
    try:
        facet = one(text)
    except InvalidArgumentError:
        return
    again = one(facet.text)
    assert isinstance(again, Facet)
    assert (again.text, again.opaque) == (facet.text, facet.opaque)
    assert (again.url.host, again.url.port, again.url.segments) == (
        facet.url.host,
        facet.url.port,
        facet.url.segments,
    )


@given(
    st.lists(st.sampled_from(["0x", "0", "1", "7f", "255", "256", "01", ".", "a"]), min_size=1, max_size=9)
)
def test_an_address_to_anybody_is_the_same_address_to_all(parts):
    """Whatever a browser takes for an IPv4 address is refused or written with four numbers."""
    text = "".join(parts)
    url = accepted(f"http://{text}/")
    if url is not None and ada_url.URL(f"http://{text}/").host_type is ada_url.HostType.IPV4:
        assert url.host.is_address
        assert str(url.host) == text
