"""Services of auth, audit and assistants."""

from dataclasses import dataclass

from saegim.app.infrastructure import Fakes, Infrastructure
from saegim.assistants.repository import PostgresAssistants
from saegim.assistants.service import Assistants, Collections
from saegim.audit.repository import AuditWriter, PostgresAudit
from saegim.audit.trail import AuditTrail
from saegim.auth.credential_repository import PostgresKeyStore, PostgresMembers
from saegim.auth.credentials import Credentials
from saegim.auth.identities import Identities
from saegim.auth.issuer_documents import IssuerDocuments
from saegim.auth.issuer_repository import PostgresIssuers
from saegim.auth.issuers import Issuers
from saegim.auth.key_sets import HttpKeySets
from saegim.auth.members import Members
from saegim.auth.oidc_flow import CodeFlow
from saegim.auth.repository import PostgresAccess
from saegim.auth.service import Access
from saegim.auth.sign_in import SignIns
from saegim.auth.sign_in_repository import PostgresSignIns
from saegim.auth.tenants import Tenants
from saegim.auth.token_seal import KeyringTokenSeal


@dataclass(frozen=True, kw_only=True)
class AuthServices:
    """Tenants, members and credentials."""

    authentication: Access
    sign_ins: SignIns
    tenants: Tenants
    credentials: Credentials
    members: Members
    identities: Identities
    issuers: Issuers
    oidc: CodeFlow
    repository: PostgresAccess
    member_repository: PostgresMembers


@dataclass(frozen=True, slots=True)
class AuditServices:
    """The append-only audit trail."""

    trail: AuditTrail
    writer: AuditWriter


@dataclass(frozen=True, slots=True)
class AssistantServices:
    """Assistants and collections."""

    assistants: Assistants
    collections: Collections


def build_auth(on: Infrastructure, fakes: Fakes) -> AuthServices:
    clock, cells, keyring = on.clock, on.db.cells, on.encryption.keyring
    store = PostgresAccess(cells, keyring, on.llm.embedder, clock, on.quotas.storage)
    seal = KeyringTokenSeal(keyring, store.tenant_exists)
    people = PostgresMembers(cells, keyring, clock)
    key_sets = fakes.key_sets or HttpKeySets(private=on.settings.oidc_allow_private_networks)
    issuer_store = PostgresIssuers(cells, clock)
    documents = IssuerDocuments(key_sets)
    issuers = Issuers(issuer_store, documents, on.grants)
    access = Access(store, seal, issuers, clock, on.grants)
    return AuthServices(
        authentication=access,
        sign_ins=SignIns(access, seal, PostgresSignIns(cells), clock),
        tenants=Tenants(store, clock),
        credentials=Credentials(store, PostgresKeyStore(cells, clock), seal, clock, on.grants),
        members=Members(people, clock, on.grants),
        identities=Identities(people, clock, on.grants),
        issuers=issuers,
        oidc=CodeFlow(issuer_store, documents, key_sets, seal, clock),
        repository=store,
        member_repository=people,
    )


def build_audit(on: Infrastructure) -> AuditServices:
    keyring = on.encryption.keyring
    writer = AuditWriter(keyring, on.jobs.queue, on.clock)
    store = PostgresAudit(on.db.cells, keyring, writer)
    return AuditServices(AuditTrail(store, writer, on.encryption.keys, on.clock), writer)


def build_assistants(on: Infrastructure) -> AssistantServices:
    store = PostgresAssistants(on.db.cells, on.clock, on.quotas.storage)
    return AssistantServices(Assistants(store, on.clock), Collections(store, on.clock))
