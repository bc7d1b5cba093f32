"""Models that the tenant connects with its own keys, and the roles that use them."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Literal, Self
from uuid import UUID

from fastapi import APIRouter
from pydantic import AfterValidator, AwareDatetime, BaseModel, Field, SecretStr, model_validator

from saegim.api.caller import Call, CallDep
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.auth.grants import GRANTS
from saegim.llm.connections.types import (
    ModelCheck,
    NewConnection,
    RoleChoice,
    RoleSource,
)
from saegim.llm.model_call import ModelFault
from saegim.llm.ports import EgressPolicy, ModelRole
from saegim.llm.providers import ProviderName
from saegim.memory.types import MemoryType

router = APIRouter(prefix="/v1", tags=["models"])

LONGEST_SECONDS = 3_600
EXAMPLE_URL = "https://models.example.invalid/v1"
Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f]+$")]
ModelName = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$")]
# The table has single precision.
ToMilliseconds = AfterValidator(lambda seconds: round(seconds, 3))
Seconds = Annotated[float, Field(ge=0.001, le=LONGEST_SECONDS), ToMilliseconds]
StepSeconds = Annotated[float, Field(ge=0, le=LONGEST_SECONDS), ToMilliseconds]
Roles = Annotated[list[ModelRole], Field(max_length=len(ModelRole))]


class ProviderAccess(BaseModel, extra="forbid"):
    """A provider, its base URL and key. Without a URL, the provider's own."""

    model_config = example(provider="openai-compatible", base_url=EXAMPLE_URL, api_key="sk-example")

    provider: ProviderName
    base_url: Annotated[str | None, Field(max_length=2_000)] = None
    api_key: Annotated[SecretStr | None, Field(max_length=1_000)] = None

    def as_connection(self) -> NewConnection:
        return NewConnection(self.provider, None, self.base_url, self._key())

    def _key(self) -> str | None:
        key = None if self.api_key is None else self.api_key.get_secret_value().strip()
        return key or None


class NewModelConnection(ProviderAccess):
    """A provider with its key, the roles that use it, and the model; without roles, all of them.
    Without a model, the provider's default of each role. Time limits are in seconds; those that are
    not given depend on whether the server is hosted or local.

    With `connection_id` it changes that connection: roles and models stay, and so do name, limits
    and key if they are omitted. The key stays only at the same server.

    With `found`, the name of a model in the list of found ones, `provider` and `model` are as
    listed, and the server supplies the URL and the key."""

    model_config = example(
        provider="openai-compatible",
        base_url=EXAMPLE_URL,
        api_key="sk-example",
        model="qwen3:8b",
        roles=["judge"],
    )

    connection_id: UUID | None = None
    found: Name | None = None
    name: Name | None = None
    roles: Roles = []
    model: ModelName | None = None
    step_seconds: Annotated[
        StepSeconds | None, Field(description="0: no model call before the answer.")
    ] = None
    first_token_seconds: Seconds | None = None
    turn_seconds: Seconds | None = None
    background_seconds: Seconds | None = None
    without_tools: Annotated[
        list[ModelName] | None,
        Field(max_length=20, description="Models that take no tools, as the test found."),
    ] = None

    @model_validator(mode="after")
    def _check_found(self) -> Self:
        if self.found and (self.base_url or self.api_key or self.connection_id):
            raise ValueError("found takes no base_url, api_key or connection_id")
        return self

    def as_connection(self) -> NewConnection:
        return NewConnection(
            self.provider,
            self.name,
            self.base_url,
            self._key(),
            self.step_seconds,
            self.first_token_seconds,
            self.turn_seconds,
            self.background_seconds,
            self.connection_id,
            self.without_tools,
        )


class ModelConnectionView(View):
    """A model connection. Of its key, only the last characters are shown; of a short
    key none, so that `key_hint` is empty."""

    connection_id: UUID
    name: str
    provider: ProviderName
    base_url: str
    key_hint: str | None
    step_seconds: float
    first_token_seconds: float
    turn_seconds: float
    background_seconds: float
    created_at: AwareDatetime
    withheld_types: list[str]
    withholds_pinned: bool
    uses_pseudonyms: bool
    without_tools: list[str]


class EgressChange(BaseModel, extra="forbid"):
    """What must not leave to a provider: types of memories (`episode` are earlier turns), pinned
    facts, and names, e-mail addresses and phone numbers, which placeholders then stand for."""

    model_config = example(
        withheld_types=["profile", "constraint"], withholds_pinned=False, uses_pseudonyms=True
    )

    withheld_types: Annotated[list[MemoryType | Literal["episode"]], Field(max_length=20)] = []
    withholds_pinned: bool = False
    uses_pseudonyms: bool = False

    def as_policy(self) -> EgressPolicy:
        types = frozenset(map(str, self.withheld_types))
        return EgressPolicy(types, self.withholds_pinned, self.uses_pseudonyms)


class FoundModelView(View):
    """A model that can be connected in one step: of a server on the machine of Saegim, or of a
    provider whose key is in the environment variable `key_variable`."""

    name: str
    provider: ProviderName
    model: str
    base_url: str | None
    key_variable: str | None


class ModelConnectionList(BaseModel):
    """The tenant's model connections, oldest first, and models that were found, local ones
    first."""

    connections: list[ModelConnectionView]
    found: list[FoundModelView]


class ModelRoleView(View):
    """The model of a role. `source` is `connection`, `environment` (the server's default) or
    `none`. `takes_tools` is null for roles that write no answers, and
    `usd_per_1000_turns`, the estimated cost of the role in 1,000 turns, if no price is known."""

    role: ModelRole
    source: RoleSource
    model: str | None
    connection_id: UUID | None
    connection: str | None
    takes_tools: bool | None
    usd_per_1000_turns: Decimal | None


class ModelRoleList(BaseModel):
    """The model of every role."""

    roles: list[ModelRoleView]


class RoleAssignment(BaseModel, extra="forbid"):
    """Roles, and the connection and model they use from now on. Without a connection, they use the
    server's default; without roles, it is for all of them."""

    model_config = example(
        connection_id="01900000-0000-7000-8000-000000000000", roles=["strong"], model="gpt-5"
    )

    connection_id: UUID | None = None
    roles: Roles = []
    model: ModelName | None = None


class ModelCheckView(View):
    """The result of a test call: its duration, list prices in US dollars per million tokens, or the
    provider's status and message. `takes_tools` says whether the model of a role that writes
    answers called a tool; null is unknown. `usd_per_1000_turns` is as in the list of roles."""

    role: ModelRole
    model: str
    ok: bool
    seconds: float
    fault: ModelFault | None
    status: int | None
    message: str | None
    input_price: Decimal | None
    output_price: Decimal | None
    takes_tools: bool | None
    usd_per_1000_turns: Decimal | None


class ModelCheckList(BaseModel):
    """The results of test calls, by role."""

    checks: list[ModelCheckView]


class AvailableModels(BaseModel):
    """The models that a provider lists."""

    models: list[str]


@router.get("/model-connections")
async def list_model_connections(call: CallDep, find: bool = False) -> ModelConnectionList:
    """Lists the model connections of the tenant and, with `find`, models that can be connected in
    one step: of Ollama, LM Studio or llama.cpp on the machine of `saegim dev`, and of providers
    whose key is in its environment. Other servers find none, nor does a caller without
    `others:read`."""
    connections = call.services.llm.connections
    finds = find and GRANTS.may_connect_model(call.caller)
    return ModelConnectionList(
        connections=ModelConnectionView.each(await connections.all(call.tenant)),
        found=FoundModelView.each(await connections.discovery.find() if finds else ()),
    )


@router.post("/model-connections", status_code=201)
async def add_model_connection(body: NewModelConnection, call: CallDep) -> ModelConnectionView:
    """Stores a connection, with its key encrypted, and uses it for its roles, or changes the one of
    `connection_id`. Its host reads the messages of everybody, so that the caller needs
    `others:read`, too. Private addresses are refused unless the server's settings allow them. A
    found model is tested; if the test fails, nothing is stored."""
    GRANTS.connect_model(call.caller)
    connections = call.services.llm.connections
    new, model = await _chosen(call, body)
    if body.found:
        new = await connections.require_working(call.tenant, new, body.roles, model)
    async with call.recording(AuditAction.MODELS_CHANGED, new.id, connections.host(new)):
        added = await connections.add(call.tenant, new, body.roles, model)
    return ModelConnectionView.of(added)


@router.post("/model-connections/test")
async def test_model_connection(body: NewModelConnection, call: CallDep) -> ModelCheckList:
    """Calls the models that a connection would use, without storing it."""
    new, model = await _chosen(call, body)
    checks = await call.services.llm.connections.check_new(call.tenant, new, body.roles, model)
    return check_list(checks)


@router.post("/model-connections/available-models")
async def list_available_models(body: ProviderAccess, call: CallDep) -> AvailableModels:
    """Lists the models of a provider, without storing its key."""
    models = await call.services.llm.connections.available(body.as_connection())
    return AvailableModels(models=models)


@router.delete("/model-connections/{connection_id}", status_code=204)
async def remove_model_connection(connection_id: UUID, call: CallDep) -> None:
    """Deletes a connection. Its roles use the server's default again."""
    async with call.recording(AuditAction.MODELS_CHANGED, connection_id):
        await call.services.llm.connections.remove(call.tenant, connection_id)


@router.put("/model-connections/{connection_id}/egress")
async def set_model_egress(
    connection_id: UUID, body: EgressChange, call: CallDep
) -> ModelConnectionView:
    """Changes what must not leave to a provider. Rules may still quote what does not leave."""
    async with call.recording(AuditAction.MODELS_CHANGED, connection_id):
        changed = await call.services.llm.connections.set_egress(
            call.tenant, connection_id, body.as_policy()
        )
    return ModelConnectionView.of(changed)


@router.get("/model-roles")
async def list_model_roles(call: CallDep) -> ModelRoleList:
    """Lists the model of every role, and where it is configured."""
    return role_list(await call.services.llm.connections.roles(call.tenant))


@router.put("/model-roles")
async def set_model_roles(body: RoleAssignment, call: CallDep) -> ModelRoleList:
    """Changes the connection and model of roles."""
    connections, roles = call.services.llm.connections, body.roles or list(ModelRole)
    async with call.recording(AuditAction.MODELS_CHANGED, body.connection_id or call.tenant):
        if body.connection_id is None:
            await connections.use_environment(call.tenant, roles)
        else:
            await connections.use(call.tenant, body.connection_id, roles, body.model)
    return role_list(await connections.roles(call.tenant))


@router.post("/model-roles/test")
async def test_model_roles(call: CallDep) -> ModelCheckList:
    """Calls the model of every role that has one."""
    return check_list(await call.services.llm.connections.check(call.tenant))


async def _chosen(call: Call, body: NewModelConnection) -> tuple[NewConnection, str | None]:
    """Return the connection and the model of a body."""
    new = body.as_connection()
    if not body.found:
        return new, body.model
    GRANTS.connect_model(call.caller)
    return await call.services.llm.connections.complete_found(new, body.found, body.model)


def check_list(checks: Iterable[ModelCheck]) -> ModelCheckList:
    return ModelCheckList(checks=ModelCheckView.each(checks))


def role_list(roles: Iterable[RoleChoice]) -> ModelRoleList:
    return ModelRoleList(roles=ModelRoleView.each(roles))
