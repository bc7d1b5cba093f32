"""Ranking settings of a tenant's document search."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.views import example
from saegim.library.ranking import Fusion, RankingWeights
from saegim.library.types import RankingSettings, ResultCounts

router = APIRouter(prefix="/v1", tags=["library"])

USUAL = RankingSettings()
Share = Annotated[float, Field(ge=0, le=1)]
Worth = Annotated[float, Field(ge=0, le=10)]
Count = Annotated[int, Field(ge=0, le=50)]


class WeightsView(BaseModel, extra="forbid"):
    """The weight of each ranking signal. `saegim tune` fits them."""

    dense: Share = USUAL.weights.dense
    focus: Worth = USUAL.weights.focus
    feedback: Worth = USUAL.weights.feedback
    fusion: Fusion = USUAL.weights.fusion
    stale: Annotated[
        Share, Field(description="What a stale document loses, as a share of the best score.")
    ] = USUAL.weights.stale


class RankingView(BaseModel, extra="forbid"):
    """Number of FAQ entries and of other passages that a search returns, the ranking weights, and
    after how many months without a change a document is stale (0: never)."""

    model_config = example(faq=3, other=7)

    faq: Count = USUAL.counts.faq
    other: Count = USUAL.counts.other
    weights: WeightsView = WeightsView()
    stale_months: Annotated[int, Field(ge=0, le=600)] = USUAL.stale_months

    def ranking(self) -> RankingSettings:
        return RankingSettings(
            RankingWeights(**self.weights.model_dump()),
            ResultCounts(self.faq, self.other),
            self.stale_months,
        )


@router.get("/ranking")
async def read_ranking(tag: TagDep, call: CallDep) -> RankingView:
    """Returns the ranking settings. Requires an admin."""
    ranking = await call.services.library.rankings.read(call.caller)
    tag.name(ranking)
    return ranking_view(ranking)


@router.put("/ranking")
async def change_ranking(
    body: RankingView, tag: TagDep, call: CallDep, seen: ExpectedVersionDep = None
) -> RankingView:
    """Replaces the ranking settings. Omitted fields are reset to their defaults. Requires an
    admin."""
    changed = await call.services.library.rankings.change(call.caller, body.ranking(), seen)
    tag.name(changed)
    return ranking_view(changed)


def ranking_view(ranking: RankingSettings) -> RankingView:
    return RankingView(
        faq=ranking.counts.faq,
        other=ranking.counts.other,
        weights=WeightsView(**asdict(ranking.weights)),
        stale_months=ranking.stale_months,
    )
