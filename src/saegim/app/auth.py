"""Who may do what, and who did."""

from dataclasses import dataclass

from saegim.app.infrastructure import Fakes, Ground
from saegim.assistants.repository import PostgresAssistants
from saegim.assistants.service import Assistants, Collections
from saegim.audit.repository import AuditWriter, PostgresAudit
from saegim.audit.trail import AuditTrail
from saegim.auth.credential_repository import PostgresKeyStore, PostgresMembers
from saegim.auth.credentials import CredentialParts, Credentials
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
class AccessServices:
    """Who may do what, and who did."""

    assistant_store: PostgresAccess
    access: Access
    sign_ins: SignIns
    tenants: Tenants
    credentials: Credentials
    members: Members
    identities: Identities
    issuers: Issuers
    code_flow: CodeFlow
    versions: Assistants
    collections: Collections
    trail: AuditTrail
    audit_writer: AuditWriter
    member_store: PostgresMembers


def build_access(on: Ground, fakes: Fakes) -> AccessServices:
    """Access, on the ground."""
    clock, cells, keyring = on.clock, on.cells, on.keyring
    store = PostgresAccess(cells, keyring, on.embedder, clock, on.quotas)
    seal = KeyringTokenSeal(keyring, store.tenant_exists)
    people = PostgresMembers(cells, keyring, clock)
    bots = PostgresAssistants(cells, clock, on.quotas)
    key_sets = fakes.key_sets or HttpKeySets(private=on.settings.issuers_private)
    issuer_store = PostgresIssuers(cells, clock)
    documents = IssuerDocuments(key_sets)
    issuers = Issuers(issuer_store, documents, on.grants)
    access = Access(store, seal, issuers, clock, on.grants)
    writer = AuditWriter(keyring, on.queue, clock)
    return AccessServices(
        assistant_store=store,
        access=access,
        sign_ins=SignIns(access, seal, PostgresSignIns(cells), clock),
        tenants=Tenants(store, clock),
        credentials=Credentials(
            CredentialParts(store, store, PostgresKeyStore(cells, clock), seal, clock, on.grants)
        ),
        members=Members(people, clock, on.grants),
        identities=Identities(people, clock, on.grants),
        issuers=issuers,
        code_flow=CodeFlow(issuer_store, documents, key_sets, seal, clock),
        versions=Assistants(bots, clock),
        collections=Collections(bots, clock),
        member_store=people,
        audit_writer=writer,
        trail=AuditTrail(PostgresAudit(cells, keyring, writer), on.keys, clock),
    )
