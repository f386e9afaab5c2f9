"""robots.txt (RFC 9309): read, merged, rendered."""
