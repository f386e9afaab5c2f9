"""The options ``sitemap_*`` of conf.py: declare them for Sphinx, read them, and name them in its log."""

from copy import copy
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import Any, Literal

import sphinx
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx.util.logging import getLogger, is_suppressed_warning

from sitemap_docs.config.ignored import without_ignored
from sitemap_docs.config.option_types import IGNORE, Shape
from sitemap_docs.config.options import COMMAND_FLAGS, OPTIONS, Options, about_command_flag, spelled
from sitemap_docs.config.similar_names import BASE_URL_NAMES, nearest, plain_name
from sitemap_docs.model import Finding, Severity, SitemapError
from sitemap_docs.programs.sphinx_sitemap import LENIENT, SHARED, THEIR_DEFAULTS
from sitemap_docs.sphinx_rules import option_unused, unknown_option
from sitemap_docs.text import one_line

#: The priority of our handlers: after themes and other extensions, most of which stay at 500.
LAST = 900

#: The rules about settings and addresses that a project of sphinx-sitemap has to change.
ABOUT_SWITCH = frozenset(
    {
        *("addresses-moved", "base-from-platform", "locales-unused", "option-unused"),
        *("scheme-unconfirmed", "scheme-unused", "two-base-urls"),
    }
)

logger = getLogger(__name__)

#: Options that Sphinx does not take, by their name in conf.py.
_OTHERS = {f"sitemap_{option.name}": option for option in OPTIONS if "sphinx" not in option.doors}

#: The type and the default of each value that we declare.
_VALUES: dict[str, tuple[Shape, object]] = {
    **{option.name: (option.type.shape, option.default) for option in OPTIONS if "sphinx" in option.doors},
    "show_lastmod": ("switch", None),  # of sphinx-sitemap: false is `lastmod: none`
}


def declare(app: Sphinx) -> None:
    """Register the options of sitemap-docs with Sphinx, except those that sphinx-sitemap also has.

    Shared options are registered here only if they were passed on the command line.
    """
    for name in _VALUES:
        # Sphinx checks the command line before `declare_shared` runs.
        if name not in SHARED or f"sitemap_{name}" in app.config.overrides:
            _declare(app, name)


def declare_shared(app: Sphinx, config: Config) -> None:
    """Register the options that sphinx-sitemap also has, and replace its registrations of them."""
    # By now, all extensions have declared their options.
    for name in SHARED:
        app.config.values.pop(f"sitemap_{name}", None)  # Sphinx refuses a second declaration of a name.
        _declare(app, name)
    if "site_url" not in config:
        app.add_config_value("site_url", None, "html", (str, NoneType))


def _declare(app: Sphinx, short: str) -> None:
    name = f"sitemap_{short}"
    # Config keeps a default that was read once, here sphinx-sitemap's (Sphinx 7.0 to 9.1).
    kept = vars(app.config)
    if written(app.config, name) is None and name in kept and kept[name] == THEIR_DEFAULTS.get(short):
        del kept[name]
    _, default = _VALUES[short]
    rebuild: Literal["", "html", "env"] = ""
    if short in {"links", "noindex_versions", "page_dates"}:
        rebuild = "html"  # The pages show these options: another value renders each of them again.
    elif short == "locales":
        rebuild = "env"  # With languages, the messages of each document are kept while Sphinx reads it.
    app.add_config_value(name, copy(default), rebuild, Any)  # read_options says what is wrong with a value


def written(config: Config, name: str) -> object:
    """Return the value of a setting on the command line or in conf.py, or None if it is not set."""
    return config.overrides.get(name, _conf_py(config).get(name))


def is_of_conf_py(config: Config, name: str) -> bool:
    """Check whether conf.py sets a name of Sphinx, such as ``language``, to the value that the build uses."""
    values = _conf_py(config)
    return name in values and values[name] == config[name]


def _conf_py(config: Config) -> dict[str, object]:
    # Config has no public way to names that nobody declares (Sphinx 7.0 to 9.1).
    return dict(vars(config).get("_raw_config", {}))


#: The values of a switch on the command line of Sphinx, as in ``-D sitemap_robots=0``.
_SWITCHES = {"0": False, "1": True, "false": False, "true": True}


def read_options(app: Sphinx) -> tuple[Options, list[Finding]]:
    """Read the options of sitemap-docs from conf.py. Also return warnings about wrong options.

    Raises:
        ConfigError: An option has an invalid value.
    """
    config = app.config
    given: dict[str, object] = {}
    for name, (shape, default) in _VALUES.items():
        value = config[f"sitemap_{name}"]
        if f"sitemap_{name}" in config.overrides and isinstance(value, str):  # of the command line
            if shape == "list":
                value = value.split(",")
            elif shape in {"switch", "choice"}:
                value = _SWITCHES.get(value.lower(), value)
        if value not in (None, default):
            given[name] = value
    if given.pop("show_lastmod", True) is False:
        given.setdefault("lastmod", "none")
    findings = _unknown_names(config)
    for name in [name for name in LENIENT if name in given]:
        try:
            Options.of({name: given[name]})
        except SitemapError as error:
            del given[name]
            message = f"{in_conf_py(str(error))} The default is used."
            findings.append(option_unused(message))
    try:
        return Options.of(given, folder=Path(app.confdir)), findings
    except SitemapError as error:
        raise configuration_error(error) from None


def configuration_error(error: SitemapError) -> ConfigError:
    """Turn a SitemapError into a ``ConfigError``, which Sphinx shows without a traceback."""
    message = f"sitemap-docs: {in_conf_py(str(error))}"
    if sphinx.version_info >= (8, 2):  # which shows the text of an error below versions and last messages
        logger.error("%s", message)
    return ConfigError(message)


def in_conf_py(message: str) -> str:
    """Rename the options in a message: ``excludes`` becomes ``sitemap_excludes``."""
    return spelled(message, "`sitemap_{}` in conf.py".format)


def report(finding: Finding, app: Sphinx) -> Severity | None:
    """Log a warning or note with the logger of Sphinx, and return its severity, such as "warning".

    If the option ``ignore`` hides the warning, return None.
    """
    # -W, with and without --keep-going, before and since Sphinx 8.1
    severity = finding.severity_in(strict=app.warningiserror or app.keep_going)
    if not [*without_ignored([finding], IGNORE.parse(app.config.sitemap_ignore))]:
        return None
    _annotate(finding, app)
    if severity == "info":
        logger.info("sitemap-docs: %s", in_conf_py(str(finding)))
        return severity
    document = finding.where in app.env.all_docs
    message = one_line(finding.message) if document else finding.summary
    if not app.config.show_warning_types:  # with which Sphinx itself names the rule
        message += f" [{finding.rule}]"
    logger.log(
        severity.upper(),
        "sitemap-docs: %s",
        in_conf_py("\n".join(filter(None, [message, finding.hint]))),
        type="sitemap_docs",
        subtype=finding.rule,
        location=finding.where if document else None,
    )
    return severity


def _annotate(finding: Finding, app: Sphinx) -> None:
    """Show a warning as an annotation in GitHub Actions."""
    if finding.severity == "info":
        return
    if is_suppressed_warning("sitemap_docs", finding.rule, app.config.suppress_warnings):
        return
    from sitemap_docs.annotations import annotate  # noqa: PLC0415  most builds report nothing
    from sitemap_docs.surroundings import read_surroundings  # noqa: PLC0415

    shown = replace(finding, message=in_conf_py(finding.message))
    annotate([shown], read_surroundings().environ)


def _unknown_names(config: Config) -> list[Finding]:
    """Return warnings about wrong option names in conf.py, such as ``sitemap_exclude``."""
    findings = []
    for name in _conf_py(config):
        if not name.startswith("sitemap_") or name in config:
            continue
        if name in _OTHERS:
            findings.append(_misplaced_option(name))
            continue
        if plain_name(name) in COMMAND_FLAGS:
            message = (
                f"`{name}` in conf.py has no effect: the option is for {about_command_flag(name)} If it is a "
                "variable of your own, keep it."
            )
            # A project may well have a variable such as `sitemap_versions`, so this is only a note.
            findings.append(replace(unknown_option(message), severity="info"))
            continue
        meant = nearest(name, _VALUES)
        if meant:
            meant = f"sitemap_{meant}"
        elif plain_name(name) in BASE_URL_NAMES:
            meant = "html_baseurl"
        advice = f"Did you mean `{meant}`?" if meant else "Remove it."
        if meant or name.startswith("sitemap_docs_"):  # others may be variables of the project
            findings.append(unknown_option(f"`{name}` in conf.py is not an option. {advice}"))
    return findings


def _misplaced_option(name: str) -> Finding:
    """Return a warning that an option in conf.py has no effect, because it is not for Sphinx builds."""
    option = _OTHERS[name]
    advice = "Remove it."
    if "join" in option.doors:
        advice = f"Write `{option.name}` into the table [tool.sitemap-docs] of pyproject.toml."
    return unknown_option(
        f"`{name}` in conf.py has no effect: the option is for {option.titles} only. {advice}"
    )
