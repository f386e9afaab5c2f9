"""A project is opened once: where its folder, options, base URL and record come from."""
