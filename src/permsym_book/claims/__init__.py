"""The book's statements as checks: one module per page, one function per slug, all in one registry."""

from .registry import check, claim, load_all, statements, verify

__all__ = ["check", "claim", "load_all", "statements", "verify"]
