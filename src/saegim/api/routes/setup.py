"""The first set-up of a server, and how far a new organisation has come."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep, ServicesDep, set_sign_in
from saegim.api.load_shedding import network_of
from saegim.api.routes.accounts import Email, Password
from saegim.api.views import View, example
from saegim.app.container import Services
from saegim.audit.types import AuditAction
from saegim.auth.set_up import SetUpOrder
from saegim.auth.types import Account
from saegim.domain.scope import Locale

router = APIRouter(prefix="/v1", tags=["access"])


class SetUpState(BaseModel):
    """Whether the server has no organisation yet."""

    needed: bool


class SetUpBody(BaseModel, extra="forbid"):
    """The first organisation and its owner, with the code that the server printed."""

    model_config = example(
        code="the code of the link",
        organisation="Saegim Inc.",
        name="Kim",
        email="kim@example.com",
        password="a long password",  # noqa: S106 - an example
        language="ko",
    )

    code: Annotated[str, Field(min_length=1, max_length=100)]
    organisation: Annotated[str, Field(min_length=1, max_length=200)]
    name: Annotated[str, Field(min_length=1, max_length=100)]
    email: Email
    password: Password
    language: Locale = "ko"


class SetUpView(View):
    """The owner of the new organisation, who is signed in by a cookie."""

    user_id: UUID


class SetUpProgressView(View):
    """What a new organisation has: a model, documents, other people, a first question."""

    model: bool
    documents: bool
    members: bool
    asked: bool


@router.get("/setup")
async def read_setup(services: ServicesDep) -> SetUpState:
    """Returns whether the server has to be set up."""
    return SetUpState(needed=await services.auth.set_up.needed())


@router.post("/setup", status_code=201)
async def set_up(
    body: SetUpBody, request: Request, response: Response, services: ServicesDep
) -> SetUpView:
    """Creates the first organisation, its assistant and its owner, and signs in. It works once."""
    account = await services.auth.set_up.create(
        SetUpOrder(**body.model_dump()), network_of(request)
    )
    set_sign_in(request, response, await first_sign_in(services, account))
    return SetUpView(user_id=account.member)


@router.get("/setup/progress")
async def read_progress(call: CallDep) -> SetUpProgressView:
    """Returns which steps of the set-up the organisation has taken."""
    progress = await call.services.auth.set_up.progress(call.caller)
    roles = await call.services.llm.connections.roles(call.tenant)
    return SetUpProgressView.of(progress, model=any(role.model is not None for role in roles))


async def first_sign_in(services: Services, account: Account) -> str:
    """Signs the owner in and returns the cookie."""
    caller = await services.auth.sign_ins.account_caller(account)
    await services.audit.trail.note(caller, AuditAction.ACCOUNT_MADE, account.member)
    async with services.audit.trail.recording(caller, AuditAction.SIGNED_IN):
        return await services.auth.sign_ins.begin_with_account(account)
