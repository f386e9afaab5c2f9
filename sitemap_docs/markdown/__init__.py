"""What Markdown pages include and document, by the extensions and plugins that render them."""
