"""Language codes."""

import pytest

from sitemap_docs.urls.languages import folder_language, hreflang

CODES = "de pt-BR zh-Hant-TW zh-Hans es-419 ca-valencia de-1996 x-default lo-LA uk kr"  # as they are
SPELLED = {"pt_BR": "pt-BR", "ZH-hant-tw": "zh-Hant-TW", "ZH-hans": "zh-Hans", "es_LA": "es-419"}
SPELLED |= {"jp": "ja", "cn": "zh", "cn-TW": "zh-TW", "en-uk": "en-GB"}
NO_CODES = ("en-EU", "english", "", "de-")


@pytest.mark.parametrize(
    ("code", "expected"),
    [*((code, code) for code in CODES.split()), *SPELLED.items(), *((code, None) for code in NO_CODES)],
)
def test_hreflang(code, expected):
    assert hreflang(code) == expected


def test_folders():
    assert [folder_language(name) for name in ("en", "jp", "zh_CN", "fil")] == ["en", "ja", "zh-CN", "fil"]
    assert not any(folder_language(name) for name in ("api", "src", "js", "docs", "x-default", "1.0", ""))
