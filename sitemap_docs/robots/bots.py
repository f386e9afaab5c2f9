"""The bots behind the presets of the option ``robots``, by what their vendors document."""

from __future__ import annotations

from typing import Literal, NamedTuple

AS_OF = "2026-11-21"
"""The day of the table; a vendor may document another purpose since."""


class Bot(NamedTuple):
    """A user agent of robots.txt, and its purpose by the vendor's page at ``url``."""

    agent: str
    vendor: str
    purpose: Literal["training", "search"]
    url: str


_OPENAI = "https://platform.openai.com/docs/bots"
_ANTHROPIC = "https://support.claude.com/en/articles/8896518"
_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers"
_APPLE = "https://support.apple.com/en-us/119829"
_META = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/"
_BING = "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0"
_PERPLEXITY = "https://docs.perplexity.ai/docs/resources/perplexity-crawlers"

BOTS = (
    Bot("GPTBot", "OpenAI", "training", _OPENAI),
    Bot("ClaudeBot", "Anthropic", "training", _ANTHROPIC),
    Bot("Google-Extended", "Google", "training", _GOOGLE),
    Bot("Applebot-Extended", "Apple", "training", _APPLE),
    Bot("meta-externalagent", "Meta", "training", _META),
    Bot("Googlebot", "Google", "search", _GOOGLE),
    Bot("Bingbot", "Microsoft", "search", _BING),
    Bot("Applebot", "Apple", "search", _APPLE),
    Bot("OAI-SearchBot", "OpenAI", "search", _OPENAI),
    Bot("Claude-SearchBot", "Anthropic", "search", _ANTHROPIC),
    Bot("PerplexityBot", "Perplexity", "search", _PERPLEXITY),
)
"""Google-Extended and Applebot-Extended are names for robots.txt alone; no requests come from them."""

PRESETS = {
    f"@{purpose}": tuple(bot.agent for bot in BOTS if bot.purpose == purpose)
    for purpose in ("training", "search")
}
"""The agents that a name in the option ``robots`` stands for."""
