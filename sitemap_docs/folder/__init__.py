"""The adapter of built folders: any generator, no plugin."""
