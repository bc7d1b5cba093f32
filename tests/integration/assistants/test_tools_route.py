"""The tools that the editor of an assistant offers."""

from tests.stack import Stack


async def test_editors_see_the_tools_of_the_server(stack: Stack) -> None:
    seen = await stack.http.get("/v1/tools", headers=stack.headers("admin"))
    names = {spec.name for spec in await stack.services.tools.offered()}

    assert seen.status_code == 200
    assert {each["name"] for each in seen.json()} == names
    assert all(set(each) == {"name", "about"} for each in seen.json())
