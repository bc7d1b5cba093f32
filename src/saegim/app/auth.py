"""Services of auth, audit and assistants."""

from saegim.app.infrastructure import Fakes, Infrastructure
from saegim.assistants.repository import PostgresAssistants
from saegim.assistants.service import Assistants, Collections
from saegim.audit.repository import AuditWriter, PostgresAudit
from saegim.audit.trail import AuditTrail
from saegim.auth.account_repository import PostgresAccounts
from saegim.auth.accounts import Accounts
from saegim.auth.credential_repository import PostgresKeyStore, PostgresMembers
from saegim.auth.credentials import Credentials
from saegim.auth.identities import Identities
from saegim.auth.issuer_documents import IssuerDocuments
from saegim.auth.issuers import Issuers, PostgresIssuers
from saegim.auth.key_sets import HttpKeySets
from saegim.auth.members import Members
from saegim.auth.oidc_flow import CodeFlow
from saegim.auth.passwords import Passwords
from saegim.auth.repository import PostgresAccess
from saegim.auth.service import Access
from saegim.auth.set_up import SetUp
from saegim.auth.sign_in import PostgresSignIns, SignIns
from saegim.auth.sign_in_links import SignInLinks
from saegim.auth.tenants import Tenants
from saegim.auth.throttle import SignInThrottle
from saegim.auth.token_seal import KeyringTokenSeal


class AuthServices:
    """Tenants, members and credentials."""

    def __init__(self, on: Infrastructure, fakes: Fakes) -> None:
        clock, cells, keyring, grants = on.clock, on.db.cells, on.encryption.keyring, on.grants
        store = PostgresAccess(cells, keyring, on.llm.embedder, clock, on.quotas.storage)
        seal = KeyringTokenSeal(keyring, store.tenant_exists)
        key_sets = fakes.key_sets or HttpKeySets(private=on.settings.oidc_allow_private_networks)
        issuer_store, documents = PostgresIssuers(cells, clock), IssuerDocuments(key_sets)
        self.repository = store
        self.member_repository = PostgresMembers(cells, keyring, clock)
        self.issuers = Issuers(issuer_store, documents, grants)
        self.authentication = Access(store, seal, self.issuers, clock, grants)
        self.sign_ins = SignIns(self.authentication, seal, PostgresSignIns(cells), clock)
        self.tenants = Tenants(store, clock)
        self.credentials = Credentials(
            store, PostgresKeyStore(cells, clock), self.member_repository, seal, clock, grants
        )
        self.members = Members(self.member_repository, clock, grants)
        self.identities = Identities(self.member_repository, clock, grants)
        self.sign_in_links = SignInLinks(clock)
        account_store = PostgresAccounts(cells, keyring, on.quotas.storage)
        passwords = Passwords()
        throttle = SignInThrottle(on.quotas.shared, on.quotas.local)
        self.set_up = SetUp(cells, self.tenants, account_store, passwords, throttle, clock)
        self.accounts = Accounts(
            account_store,
            self.member_repository,
            passwords,
            throttle,
            clock,
            grants,
        )
        self.oidc = CodeFlow(issuer_store, documents, key_sets, seal, clock)


class AuditServices:
    """The append-only audit trail."""

    def __init__(self, on: Infrastructure) -> None:
        keyring = on.encryption.keyring
        self.writer = AuditWriter(keyring, on.jobs.queue, on.clock)
        store = PostgresAudit(on.db.cells, keyring, self.writer)
        self.trail = AuditTrail(store, self.writer, on.encryption.keys, on.clock)


class AssistantServices:
    """Assistants and collections."""

    def __init__(self, on: Infrastructure) -> None:
        store = PostgresAssistants(on.db.cells, on.clock, on.quotas.storage)
        self.assistants = Assistants(store, on.clock)
        self.collections = Collections(store, on.clock)
