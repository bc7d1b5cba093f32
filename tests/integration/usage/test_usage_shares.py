"""Use and cost by person, role and model, for those who may read usage."""

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.domain.scope import Role
from saegim.llm.ports import ModelRole
from saegim.usage.repository import ShareOfUse, SharesQuery
from tests.stack import Databases, NoonClock, new_stack


@pytest.mark.requirement("OP1")
async def test_use_is_told_by_person_role_and_model(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: lambda _: "네, 알겠습니다."})
    async with new_stack(databases, Fakes(models=models, clock=NoonClock())) as stack:
        for user, turns in (("bora", 2), ("chan", 1)):
            for _ in range(turns):
                await stack.say("예산은 얼마야?", user=user)
        tenant, assistant = stack.tenant.tenant.id, stack.tenant.assistant.id
        keys = {
            role: await stack.services.auth.tenants.create_key(
                tenant, assistant, "k", user="boss", role=role
            )
            for role in (Role.ADMIN, Role.MEMBER)
        }
        shown = {
            role: await stack.http.get(
                "/v1/usage/shares", headers={"Authorization": f"Bearer {key}"}
            )
            for role, key in keys.items()
        }
        people = {(await stack.caller(user)).scope.user: user for user in ("bora", "chan")}
        now = stack.services.clock.now()
        query = SharesQuery([assistant], now, now, ["member"], "Asia/Seoul", 10)
        stored = await stack.services.usage.shares(tenant, query)
        every = {}
        for by in ("day", "assistant", "member"):
            answer = await stack.http.get(
                "/v1/usage/shares",
                params={"by": by, "assistant": "all"},
                headers={"Authorization": f"Bearer {keys[Role.ADMIN]}"},
            )
            every[by] = answer.json()["shares"]
        admin = {"Authorization": f"Bearer {keys[Role.ADMIN]}"}
        second = {"name": "둘째", "persona": "돕습니다.", "config": {"offered_to": []}}
        other = (await stack.http.post("/v1/assistants", json=second, headers=admin)).json()
        chosen = {"Saegim-Assistant": other["assistant_id"]}
        await stack.http.post("/v1/chat", json={"message": "안녕"}, headers=admin | chosen)
        turns = {}
        for of in ("all", None, other["assistant_id"]):
            answer = await stack.http.get(
                "/v1/usage", params={"assistant": of} if of else {}, headers=admin
            )
            turns[of] = sum(each["turns"] for each in answer.json()["days"])

    assert shown[Role.MEMBER].status_code == 403
    shares = [ShareOfUse(**each) for each in shown[Role.ADMIN].json()["shares"]]
    said = {"bora": 2, "chan": 1}
    told = {each.member: (each.role, each.turns, each.calls) for each in shares}
    assert told == {str(user): ("lite", said[n], said[n]) for user, n in people.items()}
    assert all(each.input_tokens > 0 and each.output_tokens > 0 for each in shares)
    assert stored == []
    assert [(each["turns"], each["cost_usd"]) for each in every["day"]] == [(3, None)]
    assert [(each["assistant"], each["turns"]) for each in every["assistant"]] == [
        (str(assistant), 3)
    ]
    assert sorted(each["turns"] for each in every["member"]) == [1, 2]
    assert turns == {"all": 4, None: 3, other["assistant_id"]: 1}
