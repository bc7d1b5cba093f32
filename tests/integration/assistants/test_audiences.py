"""A document whose audience excludes the caller does not exist for any role or credential."""

from typing import Any

import pytest

from saegim.domain.scope import Role
from tests.integration.auth.conftest import AuthStack
from tests.integration.library.conftest import bring_in

pytestmark = pytest.mark.requirement("LB11", "OP5")

CANARY = "카나리아계약서7391"
TEXT = f"# {CANARY}\n\n{CANARY} 위약금은 3억 원입니다. 담당자는 법무팀입니다.\n"


@pytest.fixture
async def closed(auth_stack: AuthStack) -> dict[str, str]:
    """A collection for the group `legal` with one document, and the ids that lead to it."""
    await auth_stack.stack.services.warm_up()
    await auth_stack.made("/v1/collections", {"name": "contracts", "audience": ["legal"]})
    await bring_in(auth_stack.stack, {"contract.md": TEXT}, "contracts")
    made = await auth_stack.made("/v1/keys", {"name": "l", "role": "member", "groups": ["legal"]})
    lawyer = {"Authorization": f"Bearer {made['secret']}", "Saegim-User": "lawyer"}
    found = await auth_stack.call("POST", "/v1/search", lawyer, {"query": CANARY})
    assert CANARY in found.text, "who may read it finds it"
    return {"passage": found.json()["found"][0]["passage_id"]} | lawyer


async def ways_in(auth_stack: AuthStack) -> dict[str, dict[str, str]]:
    """Every role and every kind of credential, none of them in the audience."""
    ways = {
        f"a key of an {role}": await auth_stack.key(f"u-{role}", role)
        for role in Role
        if role is not Role.MINTER
    }
    ways["a key that acts for others"] = auth_stack.admin("alice")
    token = await auth_stack.made("/v1/tokens", {"groups": ["legal"]}, auth_stack.admin("alice"))
    ways["a token that asked for the group"] = {"Authorization": f"Bearer {token['secret']}"}
    ways["the tenant's own sign-in"] = auth_stack.signed(groups=["sales"])
    scoped = await auth_stack.key("scoped", Role.ADMIN, scopes=["library:read", "chat"])
    ways["a key with scopes"] = scoped
    return ways


async def shown(auth_stack: AuthStack, headers: dict[str, str], passage: str) -> str:
    """All that one caller can get out of the API about the document."""
    requests: list[tuple[str, str, Any]] = [
        ("POST", "/v1/search", {"query": CANARY}),
        ("POST", "/v1/search", {"query": "위약금은 얼마인가요?", "types": ["guide"]}),
        ("GET", "/v1/documents/contract.md", None),
        ("GET", f"/v1/passages/{passage}/section", None),
        ("DELETE", "/v1/documents/contract.md", None),
        (
            "POST",
            "/v1/chat",
            {"message": "위약금은 얼마인가요?", "selected_doc_ids": ["contract.md"]},
        ),
        ("GET", "/v1/export", None),
    ]
    text = ""
    for method, path, body in requests:
        response = await auth_stack.call(method, path, headers, body)
        assert response.status_code < 500, response.text
        text += response.text + str(response.headers)
        if path == "/v1/chat" and response.status_code == 200:
            turn = response.json()["turn_id"]
            for more in ("", "/trace", "/events"):
                text += (await auth_stack.call("GET", f"/v1/turns/{turn}{more}", headers)).text
    return text


async def test_no_role_and_no_credential_gives_a_foreign_document_away(
    auth_stack: AuthStack, closed: dict[str, str]
) -> None:
    for name, headers in (await ways_in(auth_stack)).items():
        assert "3억" not in await shown(auth_stack, headers, closed["passage"]), name
    lawyer = {key: closed[key] for key in ("Authorization", "Saegim-User")}
    assert "3억" in await shown(auth_stack, lawyer, closed["passage"])


async def test_a_closed_document_is_like_one_that_is_not_there(
    auth_stack: AuthStack, closed: dict[str, str]
) -> None:
    headers = auth_stack.admin("alice")
    told = [
        await auth_stack.call("GET", f"/v1/documents/{name}", headers)
        for name in ("contract.md", "nothing.md")
    ]

    def body(response: Any) -> tuple[int, dict[str, Any]]:
        said = response.json()
        return response.status_code, {k: v for k, v in said.items() if k != "request_id"}

    assert body(told[0]) == body(told[1])
    assert told[0].status_code == 404


async def test_an_audience_that_changes_counts_at_once(
    auth_stack: AuthStack, closed: dict[str, str]
) -> None:
    listed = (await auth_stack.call("GET", "/v1/collections", auth_stack.admin())).json()
    contracts = next(each for each in listed if each["name"] == "contracts")["collection_id"]

    async def finds(headers: dict[str, str]) -> bool:
        response = await auth_stack.call("POST", "/v1/search", headers, {"query": CANARY})
        return "3억" in response.text

    before = await finds(auth_stack.signed(groups=["sales"]))
    path = f"/v1/collections/{contracts}"
    await auth_stack.call("PATCH", path, auth_stack.admin(), {"audience": ["legal", "sales"]})
    after = await finds(auth_stack.signed(groups=["sales"]))
    await auth_stack.call("PATCH", path, auth_stack.admin(), {"audience": ["legal"]})

    assert (before, after, await finds(auth_stack.signed(groups=["sales"]))) == (False, True, False)
