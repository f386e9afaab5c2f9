"""Hosts that are local, private, previews or placeholders."""

import doctest

import pytest

from sitemap_docs.urls import hosts
from sitemap_docs.urls.hosts import is_local_host, is_placeholder, why_not_public


@pytest.mark.parametrize(
    ("host", "local", "placeholder", "reason"),
    [
        ("docs.example.org", False, False, ""),
        ("localhost", True, True, "is a private name"),
        ("Docs.LocalHost.", True, True, "is a private name"),
        ("127.0.0.1", True, True, "is a private address"),
        ("[::1]", True, True, "is a private address"),
        ("0.0.0.0", True, True, "is a private address"),
        ("10.0.0.7", False, True, "is a private address"),
        ("8.8.8.8", False, False, ""),
        ("example.com", False, True, ""),
        ("www.your-domain.com", False, True, ""),
        ("wiki", False, False, "is a private name"),
        ("docs.corp", False, False, "is a private name"),
        ("docs.test", False, True, "is a private name"),
        ("deploy-preview-1--docs.netlify.app", False, False, "is a preview (Netlify)"),
        ("docs--1.org.readthedocs.build", False, False, "is a preview (Read the Docs)"),
    ],
)
def test_hosts(host, local, placeholder, reason):
    assert (is_local_host(host), is_placeholder(host), why_not_public(host)) == (local, placeholder, reason)


def test_examples():
    assert doctest.testmod(hosts).failed == 0
