"""Submission of changed URLs to search engines by IndexNow."""
