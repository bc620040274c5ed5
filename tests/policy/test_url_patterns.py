"""URL patterns: Allow is exact in every part, Deny and Ask see every spelling."""

import time

import pytest
from adjudicator.domain.facet import ArgumentKind, ArgumentSpec, Facet
from adjudicator.facets.bounds import InvalidArgumentError
from adjudicator.facets.derive import derive
from adjudicator.policy.functions import matcher_functions
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.patterns import parse_pattern
from adjudicator.policy.url_readings import readings
from hypothesis import assume, example, given
from hypothesis import strategies as st

SPEC = ArgumentSpec("/url", ArgumentKind.URL)


def url_facet(url):
    """The facet of a URL argument, as a call gives it."""
    (facet,) = derive({"url": url}, (SPEC,), "", {})
    return facet


def allows(pattern, url):
    """Whether an Allow with this pattern speaks about the URL."""
    return parse_pattern(pattern, loose=False).matches(url_facet(url))


def denies(pattern, url):
    """Whether a Deny with this pattern speaks about the URL."""
    return parse_pattern(pattern, loose=True).matches(url_facet(url))


BOTH = [
    ("url:https://api.example.com/v1/**", "https://api.example.com/v1/a/b"),
    ("url:https://api.example.com/v1/**", "https://api.example.com/v1"),
    ("url:https://api.example.com/v1/**", "https://api.example.com/v1/?q=1"),
    ("url:https://api.example.com/v1/**", "HTTPS://API.Example.com:443/v0/../v1/a#x"),
    ("url:HTTPS://Api.Example.com/v1/**", "https://api.example.com/v1//a"),
    ("url:https://*.example.com/**", "https://a.example.com/"),
    ("url:https://**.example.com/**", "https://a.example.com/"),
    ("url:https://**.example.com/**", "https://c.b.a.example.com/"),
    ("url:https://a.*.example.com/**", "https://a.b.example.com/"),
    ("url:https://**/**", "https://example.com/a"),
    ("url:https://*/**", "https://localhost/a"),
    ("url:*://example.com/**", "http://example.com/"),
    ("url:*://example.com/**", "wss://example.com/a"),
    ("url:http://localhost:8080/**", "http://localhost:8080/a"),
    ("url:http://localhost:*/**", "http://localhost:1234/a"),
    ("url:http://127.0.0.1/**", "http://127.0.0.1/a"),
    ("url:http://[::1]:80/**", "http://[0:0::1]/a"),
    ("url:https://h.test/", "https://h.test"),
    ("url:https://h.test/a/", "https://h.test/a/"),
    ("url:https://h.test/a/*", "https://h.test/a/b"),
    ("url:https://h.test/*.json", "https://h.test/x.json"),
    ("url:https://h.test/**/raw/*", "https://h.test/a/b/raw/c"),
    ("url:https://h.test/a%20b", "https://h.test/a%20b"),
    ("url:https://h.test/@name/**", "https://h.test/@name/x"),
]


@pytest.mark.parametrize(("pattern", "url"), BOTH)
def test_a_url_that_is_meant_is_matched_by_both(pattern, url):
    """What a pattern says plainly, Allow and Deny read in the same way."""
    assert allows(pattern, url)
    assert denies(pattern, url)


NEITHER = [
    ("url:https://example.com/**", "http://example.com/"),
    ("url:https://example.com/**", "https://evil-example.com/"),
    ("url:https://example.com/**", "https://example.com.evil.test/"),
    ("url:https://example.com/**", "https://example.co/"),
    ("url:https://*.example.com/**", "https://a.evil-example.com/"),
    ("url:https://*.example.com/**", "https://example.com/"),
    ("url:https://*.google.com/**", "https://attacker.test/.google.com/"),
    ("url:https://**.example.com/**", "https://evil-example.com/"),
    ("url:http://h.test:8080/**", "http://h.test/"),
    ("url:http://127.0.0.1/**", "http://127.0.0.1.evil.test/"),
    ("url:http://127.0.0.1/**", "http://127.0.0.2/"),
    ("url:https://h.test/v1/**", "https://h.test/v10"),
    ("url:https://h.test/v1/**", "https://h.test/v1/../v2"),
    ("url:https://h.test/v1/*", "https://h.test/v1/a/b"),
    ("url:https://h.test/v1/*", "https://h.test/v1"),
    ("url:https://h.test/**/x", "https://h.test/x/y"),
]


@pytest.mark.parametrize(("pattern", "url"), NEITHER)
def test_a_url_that_is_not_meant_is_matched_by_neither(pattern, url):
    """A neighbour of a host, a port or a path is another one."""
    assert not allows(pattern, url)
    assert not denies(pattern, url)


DENY_ONLY = [
    ("url:https://example.com/**", "https://www.example.com/"),
    ("url:https://example.com/**", "https://example.com:8443/"),
    ("url:http://example.com/**", "http://example.com:443/"),
    ("url:https://**.example.com/**", "https://example.com/"),
    ("url:https://*.example.com/**", "https://b.a.example.com/"),
    ("url:http://**/**", "http://127.0.0.1/"),
    ("url:http://**/**", "http://[::1]/"),
    ("url:*://169.254.169.254/", "http://169.254.169.254:8080/latest/?x"),
    ("url:https://h.test/", "https://h.test/a"),
    ("url:https://h.test/a/", "https://h.test/a/b"),
    ("url:https://h.test/admin", "https://h.test/ADMIN"),
    ("url:https://h.test/admin", "https://h.test/%61dmin"),
    ("url:https://h.test/admin", "https://h.test/%2561dmin"),
    ("url:https://h.test/admin", "https://h.test/admin/"),
    ("url:https://h.test/admin", "https://h.test/admin."),
    ("url:https://h.test/admin", "https://h.test//admin"),
    ("url:https://h.test/admin", "https://h.test/admin;x=1"),
    ("url:https://h.test/admin", "https://h.test/x/%2e%2e/admin"),
    ("url:https://h.test/admin", "https://h.test/x%2f..%2fadmin"),
    ("url:https://h.test/admin", "https://h.test/x%5c..%5cadmin"),
    ("url:https://h.test/admin", "https://h.test/x/..;/admin"),
    ("url:https://h.test/admin", "https://h.test/x//../admin"),
    ("url:https://h.test/admin", "https://h.test/x%2fy/%2e%2e/%2e%2e/admin"),
    ("url:https://h.test/admin", "https://h.test/admin?x"),
    ("url:https://h.test/admin", "https://h.test/%ef%bd%81dmin"),
    ("url:https://h.test/admin", "https://h.test/adm%e2%80%8bin"),
    ("url:https://h.test/a/c", "https://h.test/a/b/%2e%2e/c"),
    ("url:https://h.test/%61dmin/**", "https://h.test/admin/x"),
    ("url:https://h.test/caf%c3%a9", "https://h.test/CAFE%CC%81"),
]


@pytest.mark.parametrize(("pattern", "url"), DENY_ONLY)
def test_a_spelling_that_could_mean_it_is_denied_and_never_allowed(pattern, url):
    """Case, encodings, steps, parameters, ports, and names below a name."""
    assert denies(pattern, url)
    assert not allows(pattern, url)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("url:*://169.254.169.254", "http://169.254.169.254/latest/meta-data"),
        ("url:*://169.254.*.*/**", "http://169.254.1.1/"),
        ("url:*://10.**", "ws://10.1.2.3/"),
        ("url:*://**", "ftp://example.com/x"),
        ("url:https://*example.com/**", "https://evil-example.com/"),
        ("url:https://example.*/**", "https://example.test/"),
    ],
)
def test_a_deny_may_be_wider_than_an_allow(pattern, url):
    """Without a path it is everything on the host, and wildcards stand where in an Allow they may not."""
    assert denies(pattern, url)
    with pytest.raises(PatternError):
        parse_pattern(pattern, loose=False)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [("url:*://10.**", "http://192.168.10.5/"), ("url:*://10.*.*.*/**", "http://11.0.0.1")],
)
def test_a_network_is_not_another(pattern, url):
    """Numbers of an address are counted from the left."""
    assert not denies(pattern, url)


@pytest.mark.parametrize(
    "url",
    [
        "https://attacker.test\0.google.com/",
        "http://example.test\\@evil.test/",
        "http://127.0.0.1:66\\@1.1.1.1",
        "http://a.test\t.evil.test/",
        "http://\u24d4xample.test/",
        "http://example.test%2f@evil.test/",
        "http://[::ffff:169.254.169.254]/",
        "http://2852039166/",
        "gopher://169.254.169.254:80/_GET",
    ],
)
def test_a_url_with_two_meanings_never_comes_to_a_pattern(url):
    """It is invalid before a host is looked at, so that no rule and no approval releases it."""
    with pytest.raises(InvalidArgumentError):
        url_facet(url)


def test_a_query_passes_only_where_everything_below_passes():
    """An Allow that names one path means it without a query; `**` at its end takes any."""
    assert not allows("url:https://h.test/search", "https://h.test/search?q=x")
    assert not allows("url:https://h.test/search", "https://h.test/search?")
    assert not allows("url:https://h.test/*", "https://h.test/search?q=x")
    assert allows("url:https://h.test/search/**", "https://h.test/search?q=x")


def test_an_empty_part_is_matched_by_two_stars_alone():
    """Some servers leave it out, and then the path is one part shorter."""
    assert not allows("url:https://h.test/a/*/c", "https://h.test/a//c")
    assert not allows("url:https://h.test/a/*", "https://h.test/a/")
    assert allows("url:https://h.test/a/**/c", "https://h.test/a//c")


def test_an_exception_errs_on_the_side_of_not_allowing():
    """An Allow's exception sees every spelling, a Deny's only the exact one."""
    match = matcher_functions()["facet_match"]
    for path in ("admin", "ADMIN/x", "%61dmin", "x/%2e%2e/admin"):
        facet = url_facet(f"https://h.test/{path}")
        assert not match(facet, "url:https://h.test/**", "url:https://h.test/admin/**", "allow")
    facet = url_facet("https://h.test/ADMIN/open")
    assert match(facet, "url:https://h.test/admin/**", "url:https://h.test/admin/open", "deny")


@pytest.mark.parametrize(
    ("value", "denied"),
    [
        (["http://169.254.169.254/"], True),
        ({"host": "169.254.169.254."}, True),
        ({"host": "x.Evil\uff0eTest"}, True),
        ({"host": "evil\u3002test"}, True),
        (["http://192.0.2.1/"], False),
        (7, False),
    ],
)
def test_a_value_that_is_no_text_is_searched_for_the_host(value, denied):
    """Deny looks at what there is; no Allow does."""
    facet = url_facet(value)
    found = [
        parse_pattern(f"url:*://{host}/a", loose=True).matches(facet)
        for host in ("169.254.**", "evil.test")
    ]
    assert any(found) == denied
    assert not parse_pattern("url:*://**/**", loose=False).matches(facet)
    assert parse_pattern("url:*://**/**", loose=True).matches(facet)


@pytest.mark.parametrize("kind", [None, ArgumentKind.TEXT, ArgumentKind.PATH, ArgumentKind.SHELL])
def test_a_facet_of_another_kind_is_not_matched(kind):
    """A text that looks like a URL is a text."""
    for loose in (True, False):
        facet = Facet(kind, "https://h.test/", url=url_facet("https://h.test/").url)
        assert not parse_pattern("url:*://**/**", loose=loose).matches(facet)


REFUSED = [
    ("*", "any URL is `url:*://**/**`"),
    ("example.com/**", "write `url:SCHEME://HOST/PATH`"),
    ("//example.com/**", "write `url:SCHEME://HOST/PATH`"),
    ("https:/example.com/", "write `url:SCHEME://HOST/PATH`"),
    ("gopher://h.test/**", "can never match"),
    ("file:///etc/**", "can never match"),
    ("http*://h.test/**", "write `*` or one of http"),
    ("https://h.test/search?q=*", "does not look at queries"),
    ("https://h.test/a?", "does not look at queries"),
    ("https://h.test/#x", "fragment"),
    ("https://user@h.test/**", "name or a password"),
    ("https://h\u00e4.test/**", "xn--"),
    ("https://h.test/a b", "no blank"),
    ("https://h.test\\a", "no backslash"),
    ("https://h_.test/**", "labels"),
    ("https://h.test./**", "ends with a dot"),
    ("https:///**", "labels"),
    ("https://a..*/**", "no label of a host"),
    ("https://*_a.test/**", "no label of a host"),
    ("https://**example.com/**", "write `**.example.com`"),
    ("https://[::1/**", "write `url:SCHEME://HOST/PATH`"),
    ("https://[::x]/**", "IPv6"),
    ("https://[::ffff:1.2.3.4]/**", "stands for an IPv4 address"),
    ("https://127.1/**", "ends in a number"),
    ("https://10.*/**", "write `169.254.**`"),
    ("https://*.1/**", "write `169.254.**`"),
    ("https://10.0.0.0/8", "a network has no `/` here"),
    ("https://10.0.0.0/8/**", "a network has no `/` here"),
    ("https://h.test:/**", "port"),
    ("https://h.test:0/**", "port"),
    ("https://h.test:8*/**", "`:*` is any"),
    ("https://h.test/a//b", "leave it out"),
    ("https://h.test/a/../b", "leave it out"),
    ("https://h.test/**.py", "whole part of a path"),
    ("https://h.test/[ab]", "percent-encode it"),
    ("https://h.test/{a}", "percent-encode it"),
    ("https://h.test/a;b", "percent-encode it"),
    ("https://h.test/%", "percent-encode it"),
    ("https://h.test/a%2fb", "write `*` for it"),
    ("https://h.test/%2e%2e/b", "write `*` for it"),
    ("https://h.test/%e2%80%8b", "write `*` for it"),
    ("https://h.test/%25252525252541", "over and over"),
]


@pytest.mark.parametrize(("glob", "advice"), REFUSED)
def test_what_would_not_mean_what_it_seems_to_mean_is_refused(glob, advice):
    """By every effect, with what to write instead."""
    for loose in (True, False):
        with pytest.raises(PatternError) as error:
            parse_pattern(f"url:{glob}", loose=loose)
        assert advice in str(error.value)


REFUSED_IN_ALLOW = [
    ("https://h.test", "write `/**` after the host for all"),
    ("https://*example.com/**", "anybody can have `evil-example.com`"),
    ("https://api-*.example.com/**", "`*` is a whole label"),
    ("https://example.*/**", "last label is written out"),
    ("https://**.*/**", "last label is written out"),
    ("https://10.**/**", "last label is written out"),
    ("https://10.*.*.1/**", "last label is written out"),
]


@pytest.mark.parametrize(("glob", "advice"), REFUSED_IN_ALLOW)
def test_what_is_too_wide_for_an_allow_is_refused(glob, advice):
    """Names are owned from the right, and addresses are written whole."""
    with pytest.raises(PatternError) as error:
        parse_pattern(f"url:{glob}", loose=False)
    assert advice in str(error.value)
    assert parse_pattern(f"url:{glob}", loose=True)


# Laws ------------------------------------------------------------------------------------------------

LABEL = st.sampled_from(["a", "api", "example", "evil-example", "com", "test", "www", "10"])
NAME = st.lists(LABEL, min_size=1, max_size=4).map(".".join)
HOST = NAME | st.sampled_from(["127.0.0.1", "169.254.169.254", "10.0.0.1", "[::1]", "[2001:db8::1]"])
PART = st.sampled_from(
    [
        *("a", "b", "admin", "v1", "", ".", "..", "%2e%2e", "%61", "a%2fb", "%252e%252e", "..;", "a;x"),
        "x%5cb",
    ]
)
PATH = st.lists(PART, max_size=5).map("/".join)
SCHEME = st.sampled_from(["http", "https", "ws", "wss", "ftp"])
URL = st.tuples(
    SCHEME, HOST, st.sampled_from(["", ":80", ":443", ":8080"]), PATH, st.sampled_from(["", "?q"])
)
URLS = URL.map(lambda parts: "{}://{}{}/{}{}".format(*parts))
HOST_GLOB = (
    st.lists(
        st.sampled_from(["*", "**", "a", "api", "example", "com", "test", "10"]), min_size=1, max_size=4
    )
    .map(".".join)
    .filter(lambda host: "**.**" not in host)
)
GLOB_PART = st.sampled_from(["*", "**", "a", "b", "admin", "v1", "*a*", "%61"])
PATH_GLOB = st.lists(GLOB_PART, max_size=4).map("/".join)
GLOB = st.tuples(
    st.just("*") | SCHEME, HOST_GLOB | HOST, st.sampled_from(["", ":*", ":443", ":8080"]), PATH_GLOB
).map(lambda parts: "url:{}://{}{}/{}".format(*parts))


def parsed(glob, *, loose):
    """The pattern; a glob that is refused is no example."""
    try:
        return parse_pattern(glob, loose=loose)
    except PatternError:
        assume(condition=False)


def facet_of(url):
    """The facet; a URL that is refused is no example."""
    try:
        return url_facet(url)
    except InvalidArgumentError:
        assume(condition=False)


@given(GLOB, URLS)
def test_what_an_allow_matches_a_deny_matches(glob, url):
    """Turning an Allow into a Deny never lets more through."""
    exact, loose, facet = parsed(glob, loose=False), parsed(glob, loose=True), facet_of(url)
    assert loose.matches(facet) or not exact.matches(facet)


def names_by_definition(globs, labels):
    """The naive reading of a host glob, in which `**` is one label or more."""
    if not globs:
        return not labels
    takes = range(1, len(labels) + 1) if globs[0] == "**" else range(1, 2)
    return any(
        labels[take - 1 : take]
        and globs[0] in ("*", "**", labels[0])
        and names_by_definition(globs[1:], rest)
        for take in takes
        for rest in [labels[take:]]
    )


@given(HOST_GLOB, NAME | st.sampled_from(["127.0.0.1", "[::1]"]))
@example("*.example.com", "evil-example.com")
@example("example.com", "example.com.evil.test")
@example("**.example.com", "example.com")
@example("10.10.10.10", "10.10.10.10")
def test_an_allow_never_leaves_its_labels(host_glob, host):
    """Label by label, from the left to the right, and never an address for a wildcard."""
    exact, facet = parsed(f"url:https://{host_glob}/**", loose=False), facet_of(f"https://{host}/")
    by_label = names_by_definition(host_glob.split("."), host.split("."))
    expected = host == host_glob if facet.url.host.is_address else by_label
    assert exact.matches(facet) == expected


@given(URLS)
@example("http://a/../v1")
def test_an_allow_never_leaves_its_folder(url):
    """However a server reads the path, what `/v1/**` allows has `v1` first in each reading."""
    facet = facet_of(url)
    if parsed("url:*://**/v1/**", loose=False).matches(facet):
        resolved = [words for words in readings(facet.url, doubted=True) if ".." not in words]
        assert {words[0] for words in resolved} == {"v1"}


def respelled(url, draw):
    """The same URL as some server may understand it."""
    scheme, rest = url.split("://")
    host, _, path = rest.partition("/")
    host = draw(
        st.sampled_from([host, host.upper(), host.title(), f"{host}:80", f"{host}:443", f"{host}:8080"])
    )
    scheme = draw(st.sampled_from([scheme, scheme.upper()]))
    words = []
    for word in path.split("/"):
        encoded = "".join(f"%{ord(char):02x}" for char in word)
        twice = encoded.replace("%", "%25")
        words.append(
            draw(st.sampled_from([word, word.upper(), encoded, encoded.upper(), twice, word + ";x=1"]))
        )
        words += draw(st.sampled_from([[], [""], ["."], ["x", ".."], ["x", "%2e%2e"], ["x", "..;"]]))
    tail = draw(st.sampled_from(["", "/", "?q=1", "#f", "/."]))
    joint = draw(st.sampled_from(["/", "/", "%2f", "%5C", "//"]))
    return f"{scheme}://{host}/{joint.join(words)}{tail}"


@given(st.data())
def test_a_deny_is_blind_to_spelling(data):
    """Case, encodings, ports, parameters, empty parts and steps get past no Deny; a last dot is invalid."""
    path = "/".join(
        data.draw(st.lists(st.sampled_from(["admin", "a", "v1", "x.y"]), min_size=1, max_size=3))
    )
    url = f"http://{data.draw(st.sampled_from(['example.com', '10.0.0.1', 'a.b.test']))}/{path}"
    pattern = parse_pattern(f"url:{url}", loose=True)
    assert pattern.matches(url_facet(url))
    assert pattern.matches(url_facet(respelled(url, data.draw)))


@given(GLOB, URLS)
@example("url:*://**/v1/%61", "http://h/x/%2e%2e/v1/a")
@example("url:*://[::1]/a", "http://[::1]/a")
def test_what_matches_shows_the_literals(glob, url):
    """An index may look for a pattern's literals among a facet's labels and names."""
    facet = facet_of(url)
    shown = set(facet.url.host.labels).union(*readings(facet.url, doubted=facet.opaque is not None))
    for loose in (True, False):
        pattern = parsed(glob, loose=loose)
        if pattern.matches(facet):
            assert shown.issuperset(pattern.literals)


@given(st.text(alphabet="htps:/*.[]@?%2e1a#\\ ;{\u00e9", max_size=25))
def test_parsing_a_pattern_gives_a_pattern_or_an_error(text):
    """No text crashes the parser."""
    for glob in (text, f"https://{text}", f"https://h.test/{text}"):
        for loose in (True, False):
            try:
                parse_pattern(f"url:{glob}", loose=loose)
            except PatternError:
                continue


@pytest.mark.parametrize(
    "path", ["%2e%2e/" * 1000, "/" * 8000, ";" * 8000, "%2525" * 1600, "a/../" * 1600, "..;/" * 2000]
)
def test_a_hostile_url_takes_little_time(path):
    """A URL as long as one may be, against a glob made to backtrack."""
    started = time.process_time()
    facet = url_facet(f"https://h.test/{path}")
    for loose in (True, False):
        parse_pattern("url:https://**.test/" + "**/a*a/" * 50 + "b", loose=loose).matches(facet)
    assert time.process_time() - started < 1
