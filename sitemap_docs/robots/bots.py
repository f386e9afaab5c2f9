"""The bots behind the presets of the option ``robots``, each with what its vendor documents."""

from __future__ import annotations

from typing import Literal, NamedTuple

AS_OF = "2026-11-21"
"""The day of the table; a vendor may document another purpose since."""


class Bot(NamedTuple):
    """A user agent of robots.txt; ``documented`` is its purpose by the vendor's page at ``url``."""

    agent: str
    vendor: str
    purpose: Literal["training", "search"]
    documented: str
    url: str


BOTS = (
    Bot(
        "GPTBot",
        "OpenAI",
        "training",
        "Content that may be used in training generative AI foundation models.",
        "https://platform.openai.com/docs/bots",
    ),
    Bot(
        "ClaudeBot",
        "Anthropic",
        "training",
        "Content that could contribute to the training of generative AI models.",
        "https://support.claude.com/en/articles/8896518",
    ),
    Bot(
        "Google-Extended",
        "Google",
        "training",
        "Training and grounding of Gemini. A token without requests of its own; no effect on Google Search.",
        "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers",
    ),
    Bot(
        "Applebot-Extended",
        "Apple",
        "training",
        "Training of Apple's foundation models. A token without requests of its own.",
        "https://support.apple.com/en-us/119829",
    ),
    Bot(
        "meta-externalagent",
        "Meta",
        "training",
        "Training AI models, or improving products by indexing content directly.",
        "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/",
    ),
    Bot(
        "Googlebot",
        "Google",
        "search",
        "Google Search and what is built on its index.",
        "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers",
    ),
    Bot(
        "Bingbot",
        "Microsoft",
        "search",
        "Bing's index.",
        "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
    ),
    Bot(
        "Applebot",
        "Apple",
        "search",
        "Search in Spotlight, Siri and Safari.",
        "https://support.apple.com/en-us/119829",
    ),
    Bot(
        "OAI-SearchBot",
        "OpenAI",
        "search",
        "Links to websites in the search of ChatGPT; not for training.",
        "https://platform.openai.com/docs/bots",
    ),
    Bot(
        "Claude-SearchBot",
        "Anthropic",
        "search",
        "The quality of search results in Claude.",
        "https://support.claude.com/en/articles/8896518",
    ),
    Bot(
        "PerplexityBot",
        "Perplexity",
        "search",
        "Links to websites in search results of Perplexity; not for training.",
        "https://docs.perplexity.ai/docs/resources/perplexity-crawlers",
    ),
)

PRESETS = {
    f"@{purpose}": tuple(bot.agent for bot in BOTS if bot.purpose == purpose)
    for purpose in ("training", "search")
}
"""The agents that a name in the option ``robots`` stands for."""
