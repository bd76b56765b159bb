"""The book's Sphinx extension: what Jupyter Book does not do by itself.

===================  ==============================================================================
``freshness``        a page is built again, and its cells run again, when what they rest on changed
``execution``        notebooks run side by side
``source_pages``     the checks, tests and proofs as pages of the book, one anchor a line
``links``            under each statement, the row of links to its check, its test and its proof
``repository``       launch buttons that open the reader's own fork
``notebooks``        the notebook behind a page, to download or to open in Colab
``cleaning``         pages that ask nothing of any other host
``accessibility``    names and focus that the theme leaves out
``style``            the colours of `permsym_book.palette` as CSS
``widgets``          the widgets' scripts, and their host on the pages that have one
===================  ==============================================================================
"""

import os

from permsym_book.sphinx_ext import (
    accessibility,
    cleaning,
    execution,
    freshness,
    links,
    notebooks,
    repository,
    source_pages,
    style,
    widgets,
)


def setup(app):
    """Connect every part to its event (Sphinx calls this)."""
    # the kernels inherit it: small matrices, threads only wait
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for part in (freshness, execution, repository, cleaning, style, links, source_pages, notebooks,
                 widgets, accessibility):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
