"""The program ``sitemap-docs``, and ``python -m sitemap_docs``."""

import sys

from sitemap_docs import __version__


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] == ["--version"]:
        try:
            print(f"sitemap-docs, version {__version__}", flush=True)  # noqa: T201  click alone takes 60 ms
        except OSError:
            pass  # nothing can be written: what follows tries again, and says why
        else:
            return
    try:
        from sitemap_docs.cli.main import start  # noqa: PLC0415
    except KeyboardInterrupt:
        print("sitemap-docs: Interrupted.", file=sys.stderr)  # noqa: T201  what prints is not loaded yet
        sys.exit(130)
    start()


if __name__ == "__main__":
    main()
