"""How a tenant's search ranks: for admins."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.library.ranking import Fusion, RankingWeights
from saegim.library.types import RankingSettings, ResultCounts

router = APIRouter(prefix="/v1", tags=["library"])

USUAL = RankingSettings()
Share = Annotated[float, Field(ge=0, le=1)]
Worth = Annotated[float, Field(ge=0, le=10)]
Count = Annotated[int, Field(ge=0, le=50)]


class WeightsView(BaseModel):
    """What each signal is worth; `saegim tune` fits them."""

    model_config = ConfigDict(extra="forbid")

    dense: Share = USUAL.weights.dense
    focus: Worth = USUAL.weights.focus
    feedback: Worth = USUAL.weights.feedback
    fusion: Fusion = USUAL.weights.fusion


class RankingView(BaseModel):
    """How many FAQ entries and other passages a search gives, and by which weights."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"faq": 3, "other": 7}]}
    )

    faq: Count = USUAL.counts.faq
    other: Count = USUAL.counts.other
    weights: WeightsView = WeightsView()

    def ranking(self) -> RankingSettings:
        return RankingSettings(
            RankingWeights(**self.weights.model_dump()), ResultCounts(self.faq, self.other)
        )


@router.get("/ranking")
async def read_ranking(tag: TagDep, services: ServicesDep, caller: CallerDep) -> RankingView:
    """How the tenant ranks. Admins."""
    found = await services.library.rankings.read(caller)
    tag.name(found)
    return ranking_view(found)


@router.put("/ranking")
async def change_ranking(
    body: RankingView,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> RankingView:
    """Ranks like this from the next search on; what is left out is the default again. Admins."""
    changed = await services.library.rankings.change(caller, body.ranking(), seen)
    tag.name(changed)
    return ranking_view(changed)


def ranking_view(ranking: RankingSettings) -> RankingView:
    return RankingView(
        faq=ranking.counts.faq,
        other=ranking.counts.other,
        weights=WeightsView(**asdict(ranking.weights)),
    )
