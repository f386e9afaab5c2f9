SITENAME = "Manual"
SITEURL = ""
PATH = "content"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
PLUGINS = ["sitemap"]
SITEMAP = {"format": "xml"}
