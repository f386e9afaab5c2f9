"""The rules of the audit. Each module contains the rules about one subject, such as robots.txt."""
