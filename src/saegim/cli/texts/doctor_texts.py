"""What `saegim doctor` says, in Korean and English."""

from saegim.cli.findings import Level
from saegim.cli.language import Text

LEVELS: dict[Level, Text] = {
    "ok": Text(ko="정상", en="ok"),
    "warning": Text(ko="주의", en="warning"),
    "broken": Text(ko="고장", en="broken"),
}
SUMMARY: dict[Level, Text] = {
    "ok": Text(ko="모두 정상입니다.", en="Everything is well."),
    "warning": Text(
        ko="동작하지만 살펴볼 것이 있습니다.", en="It works, but something needs a look."
    ),
    "broken": Text(ko="고장 난 것이 있습니다.", en="Something is broken."),
}
NOTHING_RUNS = Text(
    ko=(
        "실행 중인 새김이 없습니다 ({folder}). `saegim dev`로 시작하거나 --data로 폴더를, "
        "SAEGIM_POSTGRES_URL로 서버를 지정하세요."
    ),
    en=(
        "Nothing runs here ({folder}). Start `saegim dev`, or name its folder with --data, "
        "or servers with SAEGIM_POSTGRES_URL."
    ),
)
DEV_GONE = Text(
    ko="`saegim dev`가 {url}에서 응답하지 않습니다. 끝난 것이라면 다시 시작하세요.",
    en="`saegim dev` does not answer at {url}. If it has ended, start it again.",
)
API = Text(ko="{url}에서 응답합니다", en="answers at {url}")
API_NOT_READY = Text(
    ko="{url}에서 응답하지만 아직 요청을 처리할 수 없습니다",
    en="answers at {url} but cannot serve yet",
)
VERSIONS = Text(ko="새김 {saegim}, Python {python}", en="Saegim {saegim}, Python {python}")
SETTING = Text(ko="{found}", en="{found}")
POSTGRES = Text(ko="PostgreSQL {server}", en="PostgreSQL {server}")
POSTGRES_OLD = Text(
    ko="PostgreSQL {server}은 오래되었습니다. 16 이상이 필요합니다.",
    en="PostgreSQL {server} is too old: 16 or later is needed.",
)
POSTGRES_DOWN = Text(ko="응답하지 않습니다. {detail}", en="does not answer. {detail}")
CONNECTIONS = Text(
    ko="연결 {most}개 중 최대 {needed}개 사용, 롤링 업데이트 중에는 최대 {rollout}개",
    en="at most {needed} of {most} connections in use, {rollout} during a rollout",
)
CONNECTIONS_FEW = Text(
    ko="서버의 연결은 {most}개인데 최대 {needed}개, 롤링 업데이트 중에는 {rollout}개가 필요합니다. "
    "max_connections를 올리거나 SAEGIM_POSTGRES_CONNECTIONS를 낮추거나 PgBouncer를 쓰세요.",
    en="The server has {most} connections; up to {needed} are needed, {rollout} during a rollout. "
    "Raise max_connections, lower SAEGIM_POSTGRES_CONNECTIONS, or use PgBouncer.",
)
VECTOR = Text(ko="pgvector {version}", en="pgvector {version}")
VECTOR_MISSING = Text(
    ko="pgvector 확장이 없습니다. `saegim migrate`를 실행하세요.",
    en="The extension pgvector is missing: run `saegim migrate`.",
)
MIGRATED = Text(ko="최신입니다 ({at})", en="up to date ({at})")
PENDING = Text(
    ko="밀린 마이그레이션이 있습니다 ({at}, 최신은 {newest}). `saegim migrate`를 실행하세요.",
    en="Migrations are pending (at {at}, newest is {newest}): run `saegim migrate`.",
)
FENCED = Text(
    ko="앱의 역할은 행 수준 보안을 건너뛸 수 없습니다",
    en="the app's role cannot bypass row-level security",
)
KEYRING = Text(ko="키 {keys}개", en="{keys} keys")
KEYRING_DOWN = Text(
    ko="키링을 쓸 수 없어 내용을 읽지 못합니다. {detail}",
    en="The keyring cannot be used, so nothing can be read. {detail}",
)
KEYRING_WRONG = Text(
    ko="이 마스터 키로는 키링을 열 수 없습니다. 키링을 만든 키를 SAEGIM_MASTER_KEY에 넣으세요.",
    en="SAEGIM_MASTER_KEY does not open the keyring: it must be the key that it was made with.",
)
KEYRING_SHARED = Text(
    ko=(
        "키 {keys}개. 키링이 데이터와 같은 서버에 있어 백업도 함께 남습니다. "
        "운영에서는 SAEGIM_KEYRING_URL을 다른 서버로 두세요."
    ),
    en=(
        "{keys} keys. The keyring shares the data's server, and so its backups: in production, "
        "put SAEGIM_KEYRING_URL on another one."
    ),
)
PARSERS_FENCED = Text(
    ko="파일을 읽는 프로세스는 네트워크, 비밀, 다른 파일에 닿지 못합니다",
    en="the process that reads files reaches no network, secrets or other files",
)
PARSERS_REACH = Text(
    ko=(
        "이 시스템에서는 파일을 읽는 프로세스가 다음에 닿을 수 있습니다: {what}. "
        "docs/concepts/security.md의 '파일 읽기'를 보세요."
    ),
    en=(
        "On this system the process that reads files can reach: {what}. "
        "See 'Reading files' in docs/concepts/security.md."
    ),
)
FENCES: dict[str, Text] = {
    "network": Text(ko="네트워크", en="the network"),
    "environment": Text(ko="서버의 환경 변수", en="the server's environment"),
    "files": Text(ko="서버가 읽을 수 있는 파일", en="files that the server may read"),
    "writing": Text(ko="파일 쓰기", en="writing files"),
}
REDIS = Text(ko="{name} {version}", en="{name} {version}")
REDIS_DOWN = Text(
    ko="응답하지 않습니다. 턴은 PostgreSQL만으로 계속 처리됩니다.",
    en="does not answer. Turns go on from PostgreSQL alone.",
)
EMBEDDER = Text(
    ko="{embedder} — {subject} 색인, 테넌트 {tenants}곳",
    en="{embedder}: index of {subject}, tenants: {tenants}",
)
INDEXES = Text(ko="색인 {read}개를 모두 읽었습니다", en="{read} read as a whole")
INDEXES_PART = Text(
    ko="{seconds}초 동안 테넌트 {tenants}곳 가운데 {read}곳의 색인을 읽었습니다",
    en="{read} of {tenants} tenants' indexes read in {seconds} s",
)
INDEX_BROKEN = Text(
    ko=(
        "테넌트 {tenant}의 검색 색인이 손상되었거나 없습니다 ({state}). 워커가 다시 만들며, "
        "바로 시작하려면 `saegim library reindex --tenant {tenant}`를 실행하세요."
    ),
    en=(
        "The search index of tenant {tenant} is damaged or gone ({state}). A worker rebuilds it; "
        "`saegim library reindex --tenant {tenant}` starts that now."
    ),
)
EMBEDDER_UNUSED = Text(
    ko="{embedder} — 아직 색인이 없습니다", en="{embedder}: there is no index yet"
)
EMBEDDER_OTHER = Text(
    ko="{embedder} — {subject} 색인, 테넌트 {tenants}곳. 새 테넌트는 {first}을(를) 씁니다. "
    "`saegim reembed --to {first}`로 옮길 수 있습니다",
    en="{embedder}: index of {subject}, tenants: {tenants}. New tenants get {first}; "
    "`saegim reembed --to {first}` moves these",
)
EMBEDDER_UNKNOWN = Text(
    ko="{embedder} — 테넌트의 색인과 견주려면 SAEGIM_POSTGRES_ADMIN_URL이 필요합니다",
    en="{embedder}: to compare it with the tenants' indexes, set SAEGIM_POSTGRES_ADMIN_URL",
)
EMBEDDER_FENCED = Text(
    ko="{embedder} — 관리자 역할이 모든 테넌트를 볼 수 없어 색인과 견주지 못했습니다",
    en="{embedder}: the owner's role cannot see all tenants, so indexes were not compared",
)
WORKERS = Text(
    ko="워커 {workers}개, 마지막 신호 {seconds}초 전",
    en="{workers} at work, last heard of {seconds} s ago",
)
WORKERS_NONE = Text(
    ko="워커가 없습니다. 턴은 처리되지만 색인이 밀립니다. `saegim worker`를 실행하세요.",
    en="No worker is at work. Turns go on, but indexing waits: run `saegim worker`.",
)
JOBS = Text(
    ko="대기 {waiting}건, 지연 {lag}초, 실패 {failed}건",
    en="{waiting} waiting, {lag} s behind, {failed} failed",
)
TLS_LOCAL = Text(ko="모든 저장소가 이 기기에 있습니다", en="every store is on this machine")
TLS_VERIFIED = Text(
    ko="{store}: TLS로 연결하고 인증서와 호스트 이름을 확인합니다",
    en="{store}: TLS, certificate and host name are verified",
)
TLS_UNVERIFIED = Text(
    ko="{store}: 네트워크로 연결하면서 인증서를 확인하지 않습니다. "
    "SAEGIM_STORE_TLS=verify-full로 바꾸세요.",
    en="{store}: the certificate is not verified over the network: set "
    "SAEGIM_STORE_TLS=verify-full.",
)
PUBLIC_URL = Text(ko="브라우저가 쓰는 주소: {url}", en="browsers use {url}")
PUBLIC_URL_UNSET = Text(
    ko="SAEGIM_PUBLIC_URL이 없습니다. 프록시 뒤에서는 쿠키와 회사 계정 로그인에 필요합니다.",
    en="SAEGIM_PUBLIC_URL is not set: cookies and company sign-ins need it behind a proxy.",
)
MODEL = Text(ko="{model}", en="{model}")
TWIN = Text(ko="모델 없이 규칙으로 처리합니다", en="no model: its twin works by rule")
