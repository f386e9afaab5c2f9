"""Language codes."""

import pytest

from sitemap_docs.urls.languages import folder_language, hreflang


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("de", "de"),
        ("pt_BR", "pt-BR"),
        ("ZH-hant-tw", "zh-Hant-TW"),
        ("ZH-hans", "zh-Hans"),
        ("es-419", "es-419"),
        ("ca-valencia", "ca-valencia"),
        ("de-1996", "de-1996"),
        ("x-default", "x-default"),
        ("jp", "ja"),
        ("cn", "zh"),
        ("cn-TW", "zh-TW"),
        ("en-uk", "en-GB"),
        ("es_LA", "es-419"),
        ("lo-LA", "lo-LA"),
        ("uk", "uk"),
        ("kr", "kr"),
        ("en-EU", None),
        ("english", None),
        ("", None),
        ("de-", None),
    ],
)
def test_hreflang(code, expected):
    assert hreflang(code) == expected
    assert expected is None or hreflang(expected) == expected


def test_folders():
    assert [folder_language(name) for name in ("en", "jp", "zh_CN", "fil")] == ["en", "ja", "zh-CN", "fil"]
    assert not any(folder_language(name) for name in ("api", "src", "js", "docs", "x-default", "1.0", ""))
