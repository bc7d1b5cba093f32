"""What the retrieval benchmark asks of an engine, and the library's path in memory."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from enum import StrEnum
from itertools import batched
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from benchmarks.retrieval_sets import BenchDocument
from saegim.adapters.models.embedders import OfflineEmbedder
from saegim.library.indexing import index_row
from saegim.library.ingest import in_context
from saegim.library.rank import Candidate, Weights, rank
from saegim.library.split import split
from saegim.library.types import Block, BlockKind, ParsedDocument, ParsedSection
from saegim.search.analyse import index_terms, query_terms

PER_ARM = 50
K1, B = 1.2, 0.75
_PARAGRAPH = re.compile(r"\n\s*\n")


class Arm(StrEnum):
    LEXICAL = "lexical"
    DENSE = "dense"
    FUSED = "fused"


class Engine(Protocol):
    """Documents in, the best documents for a question out."""

    async def load(self, documents: Sequence[BenchDocument]) -> None:
        """Takes these documents in place of those before."""
        ...

    async def search(self, question: str, arm: Arm, weights: Weights) -> list[str]:
        """The ids of the documents whose passages are best, best first, each once."""
        ...
