"""Every text of the command line, in Korean and English."""

from saegim.cli.language import Text

# --- help

HELP = Text(
    ko="새김 — 기억하는 코파일럿 서버.",
    en="Saegim — a copilot server that remembers.",
)
HELP_VERSION = Text(ko="버전을 보여 주고 끝냅니다.", en="Show the version and exit.")
HELP_DEV = Text(
    ko="이 컴퓨터에서 모두 한 번에 실행합니다. PostgreSQL, Valkey, API, 워커. 개발용입니다.",
    en="Run everything on this machine. PostgreSQL, Valkey, API and worker, for development.",
)
HELP_SERVE = Text(
    ko="API만 실행합니다. 운영용이며, 서버 주소와 비밀값은 환경 변수에서 읽습니다.",
    en="Run the API alone. For production, on the servers that the environment names.",
)
HELP_WORKER = Text(
    ko="백그라운드 작업을 처리하는 워커를 실행합니다.",
    en="Run a worker, which does the background jobs.",
)
HELP_MIGRATE = Text(
    ko="데이터베이스를 최신 스키마로 올립니다.",
    en="Bring the databases to the newest schema.",
)
HELP_DOCTOR = Text(
    ko="모든 부품의 상태를 점검합니다. 고장 난 것이 있으면 종료 코드가 1입니다.",
    en="Look at every part. The exit code is 1 when something is broken.",
)
HELP_TENANT = Text(ko="테넌트를 관리합니다.", en="Manage tenants.")
HELP_TENANT_CREATE = Text(
    ko="테넌트를 어시스턴트, 컬렉션, 키와 함께 만듭니다.",
    en="Make a tenant with an assistant, a collection and a key.",
)
HELP_KEY = Text(ko="API 키를 관리합니다.", en="Manage API keys.")
HELP_KEY_CREATE = Text(
    ko="테넌트의 API 키를 만듭니다. 키는 이때 한 번만 보입니다.",
    en="Make an API key of a tenant. It is shown this once.",
)
HELP_CHAT = Text(
    ko="메시지를 보내고 답을 받습니다. 메시지가 없으면 대화를 시작합니다.",
    en="Send a message and read the answer. Without a message, talk.",
)
HELP_WHY = Text(
    ko="턴의 추적 기록을 보여 줍니다. 왜 그렇게 답했는지 알 수 있습니다.",
    en="Show the trace of a turn. It tells why the turn came out as it did.",
)
HELP_DEV_DATA = Text(
    ko="데이터를 두는 폴더. 기본값은 .saegim (SAEGIM_DATA).",
    en="Folder for the data; .saegim by default (SAEGIM_DATA).",
)
HELP_DATA = Text(
    ko="실행 중인 `saegim dev`의 데이터 폴더. 기본값은 .saegim (SAEGIM_DATA).",
    en="Folder of a running `saegim dev`; .saegim by default (SAEGIM_DATA).",
)
HELP_WORKER_DATA = Text(
    ko="일해 줄 `saegim dev`의 데이터 폴더. 생략하면 환경 변수가 가리키는 서버에서 일합니다.",
    en="Folder of a `saegim dev` to work for; without it, the environment names the servers.",
)
HELP_PORT = Text(
    ko="API의 포트. 기본값은 8000 (SAEGIM_PORT).",
    en="Port of the API; 8000 by default (SAEGIM_PORT).",
)
HELP_HOST = Text(
    ko="API의 주소. 기본값은 127.0.0.1 (SAEGIM_HOST).",
    en="Address of the API; 127.0.0.1 by default (SAEGIM_HOST).",
)
HELP_DEV_HOST = Text(
    ko="API의 주소. 이 컴퓨터 안의 주소만 됩니다. 기본값은 127.0.0.1 (SAEGIM_HOST).",
    en="Address of the API, on this machine only; 127.0.0.1 by default (SAEGIM_HOST).",
)
HELP_JSON = Text(ko="JSON으로 출력합니다.", en="Print JSON.")
HELP_NAME = Text(ko="테넌트의 이름.", en="Name of the tenant.")
HELP_LOCALE = Text(ko="어시스턴트의 언어.", en="Language of the assistant.")
HELP_TENANT_ID = Text(ko="테넌트의 ID.", en="Id of the tenant.")
HELP_ASSISTANT_ID = Text(
    ko="어시스턴트의 ID. 테넌트에 하나뿐이면 생략합니다.",
    en="Id of the assistant; not needed where the tenant has only one.",
)
HELP_KEY_USER = Text(
    ko="이 사용자에게 묶인 키를 만듭니다. 생략하면 모든 사용자를 대신할 수 있는 키가 됩니다.",
    en="Bind the key to this user; else it may act as any user of the tenant.",
)
HELP_KEY_ROLE = Text(
    ko="키의 역할. 생략하면 사용자에게 묶인 키는 member, 나머지는 admin입니다. "
    "테넌트의 첫 owner와 auditor는 이 옵션으로 만듭니다.",
    en="Role of the key: member for a key bound to a user, else admin. "
    "Make a tenant's first owner and auditor with this option.",
)
HELP_KEY_NAME = Text(ko="키의 이름.", en="Name of the key.")
HELP_MESSAGE = Text(ko="보낼 메시지.", en="The message.")
HELP_TURN = Text(ko="턴의 ID.", en="Id of the turn.")
HELP_URL = Text(
    ko="API의 주소. 기본값은 실행 중인 `saegim dev`의 주소.",
    en="Address of the API; that of the running `saegim dev` by default.",
)
HELP_KEY_FILE = Text(
    ko="API 키가 든 파일. 기본값은 환경 변수 SAEGIM_KEY, 그다음은 데이터 폴더의 demo.key.",
    en="File with the API key; else SAEGIM_KEY, else demo.key of the data folder.",
)
HELP_USER = Text(
    ko="대신할 사용자의 이름. 여러 사용자를 대신할 수 있는 키에서만 씁니다.",
    en="User to act as, for keys that may act as others.",
)
HELP_SESSION = Text(
    ko="이어 갈 세션의 이름이나 ID.",
    en="Name or id of the session to go on with.",
)

# --- settings

WRONG_SETTING = Text(ko="설정이 올바르지 않습니다. {found}", en="A setting is not right. {found}")
NO_STORE = Text(
    ko="PostgreSQL을 쓸 수 없습니다. {detail}",
    en="PostgreSQL cannot be used. {detail}",
)
PENDING = Text(
    ko="스키마가 오래되었습니다 ({at}, 최신은 {newest}). `saegim migrate`를 먼저 실행하세요.",
    en="The schema is old ({at}, newest is {newest}). Run `saegim migrate` first.",
)
EMBEDDER_MISSING = Text(
    ko="색인을 만든 임베더가 설정에 없습니다: {missing} (있는 것: {there}). SAEGIM_EMBEDDERS에 "
    "더하거나, 있는 설정으로 되돌린 뒤 `saegim reembed --to 이름`으로 옮기세요.",
    en="Indexes are made with an embedder that the settings do not provide: {missing} (there are: "
    "{there}). Add it to SAEGIM_EMBEDDERS; `saegim reembed --to NAME` moves to another.",
)
CAN_BYPASS = Text(
    ko=(
        "SAEGIM_POSTGRES_URL의 역할이 행 수준 보안을 건너뛸 수 있습니다. "
        "슈퍼유저도 BYPASSRLS도 아닌 역할을 쓰세요."
    ),
    en=(
        "The role of SAEGIM_POSTGRES_URL can bypass row-level security. "
        "Use one that is neither a superuser nor BYPASSRLS."
    ),
)
OWNS_TABLES = Text(
    ko=(
        "SAEGIM_POSTGRES_URL의 역할이 테이블의 소유자입니다. "
        "소유자는 SAEGIM_POSTGRES_ADMIN_URL에만 쓰고, 앱에는 다른 역할을 쓰세요."
    ),
    en=(
        "The role of SAEGIM_POSTGRES_URL owns the tables. "
        "Keep the owner for SAEGIM_POSTGRES_ADMIN_URL and give the app another role."
    ),
)
PORT_BUSY = Text(
    ko="{host}:{port} 포트는 이미 사용 중입니다. 쓰는 프로그램을 끝내거나 --port로 바꾸세요.",
    en="{host}:{port} is already in use. Stop what uses it, or choose another with --port.",
)
CANNOT_LISTEN = Text(
    ko="{host}:{port}에서 연결을 받을 수 없습니다: {reason}",
    en="Cannot listen on {host}:{port}: {reason}",
)

# --- dev

NOT_LOOPBACK = Text(
    ko=(
        "`saegim dev`는 이 컴퓨터 안에서만 씁니다. {host} 대신 127.0.0.1을 쓰세요. "
        "밖에 열려면 `saegim serve`가 있습니다."
    ),
    en=(
        "`saegim dev` is for this machine only: use 127.0.0.1 instead of {host}. "
        "To serve others there is `saegim serve`."
    ),
)
NOT_ON_WINDOWS = Text(
    ko="`saegim dev`는 리눅스와 macOS에서 실행됩니다. 윈도우에서는 WSL을 쓰세요.",
    en="`saegim dev` runs on Linux and macOS. On Windows, use WSL.",
)
STARTING = Text(ko="새김을 시작합니다 ({folder})", en="Starting Saegim ({folder})")
FIRST_TIME = Text(ko=", 처음이라 새로 만듭니다", en=", made for the first time")
SCHEMA = Text(ko="데이터베이스와 스키마", en="databases and schema")
DATABASE_FAILED = Text(
    ko="데이터베이스를 준비하지 못했습니다: {reason}",
    en="The databases could not be made ready: {reason}",
)
KEY_DOES_NOT_FIT = Text(
    ko=(
        "이 키링을 만든 마스터 키가 아닙니다. 원래 키를 {path}에 되돌려 놓으세요. "
        "그 키가 없으면 저장된 내용은 읽을 수 없습니다."
    ),
    en=(
        "This is not the master key that the keyring was made with. Put the right one back into "
        "{path}; without it nothing that is stored can be read."
    ),
)
DEMO = Text(ko="데모 테넌트 (키: {path})", en="demo tenant (key in {path})")
DEMO_KEY = Text(ko="           데모 키 {key}", en="           demo key {key}")
DEMO_KEY_REFUSED = Text(
    ko=(
        "{path}의 데모 키를 쓸 수 없습니다. 폐기되었거나 그 사용자나 테넌트가 삭제되었습니다. "
        "파일은 그대로 두었고 새 테넌트도 만들지 않았습니다.\n"
        "같은 테넌트의 새 키: saegim key create --tenant {tenant} --user demo --name demo\n"
        "새 데모 테넌트로 시작하려면 키 파일을 옮기고 `saegim dev`를 다시 실행하세요."
    ),
    en=(
        "The demo key in {path} cannot be used: it was revoked, or its user or tenant was erased. "
        "The file was left as it is, and no other tenant was made.\n"
        "New key of the same tenant: saegim key create --tenant {tenant} --user demo --name demo\n"
        "To begin with a new demo tenant, move the key file away and start `saegim dev` again."
    ),
)
WORKER = Text(ko="  {seconds:>5} s  워커", en="  {seconds:>5} s  worker")
WORKER_SILENT = Text(
    ko="워커가 아직 응답하지 않습니다. `saegim doctor`로 확인하세요.",
    en="The worker does not answer yet. `saegim doctor` tells more.",
)
WORKER_DIED = Text(
    ko="워커가 끝났습니다. 다시 시작합니다. ({log})",
    en="The worker ended and is started again. ({log})",
)
READY = Text(ko="새김 준비 완료 ({seconds}초)", en="Saegim is ready ({seconds} s)")
WELCOME = Text(
    ko="웹·API  {url}\nAPI 키  {key_file}\n로그    {logs}, {more}",
    en="web and API  {url}\nkey          {key_file}\nlogs         {logs}, {more}",
)
HOW_TO_STOP = Text(
    ko="Ctrl-C를 누르면 모두 멈춥니다. 다른 터미널에서: saegim chat, saegim doctor",
    en="Ctrl-C stops everything. In another terminal: saegim chat, saegim doctor",
)
STOPPING = Text(ko="멈추는 중…", en="Stopping…")
STOPPED = Text(ko="모두 멈췄습니다.", en="Everything is stopped.")

# --- operators

SERVING = Text(ko="API가 {url}에서 기다립니다.", en="The API answers at {url}.")
MIGRATED = Text(ko="스키마는 이제 {revision}입니다.", en="The schema is at {revision} now.")
TENANT_MADE = Text(
    ko="테넌트      {tenant}\n어시스턴트  {assistant}\n키          {key}",
    en="tenant     {tenant}\nassistant  {assistant}\nkey        {key}",
)
KEY_ONCE = Text(
    ko="키는 지금 한 번만 보입니다. 안전한 곳에 보관하세요.",
    en="The key is shown this once. Keep it in a safe place.",
)
NO_TENANT = Text(ko="그런 테넌트가 없습니다: {tenant}", en="There is no such tenant: {tenant}")
WHICH_ASSISTANT = Text(
    ko="어시스턴트가 여럿입니다. --assistant로 고르세요: {assistants}",
    en="There are several assistants. Choose one with --assistant: {assistants}",
)
NO_ASSISTANT = Text(
    ko="그 테넌트의 어시스턴트가 아닙니다: {assistant}",
    en="The tenant has no such assistant: {assistant}",
)

# --- talking

NO_KEY = Text(
    ko=(
        "API 키가 없습니다 ({path}). `saegim dev`를 먼저 실행하거나, "
        "SAEGIM_KEY 또는 --key-file로 키를 주세요."
    ),
    en=(
        "There is no API key ({path}). Run `saegim dev` first, or give one in SAEGIM_KEY "
        "or with --key-file."
    ),
)
NO_ANSWER = Text(
    ko="{url}에서 응답이 없습니다. `saegim dev`가 실행 중인지 확인하세요. ({reason})",
    en="{url} does not answer. Is `saegim dev` running? ({reason})",
)
TALK = Text(
    ko="메시지를 입력하세요. `/eval [질문]`은 기억을 채점합니다. 빈 줄이나 Ctrl-D로 끝냅니다.",
    en="Type a message; `/eval [QUERY]` scores what is remembered. An empty line or Ctrl-D ends.",
)
RESTARTED = Text(ko="(답을 처음부터 다시 씁니다)", en="(the answer starts again)")
CANCELLED = Text(ko="(멈췄습니다)", en="(stopped)")
UNSETTLED = Text(
    ko="(답이 끝나지 못했습니다: {state} {error})",
    en="(the answer did not end well: {state} {error})",
)
WITHOUT = Text(ko="(쓰지 못한 부품: {parts})", en="(had to do without: {parts})")
ASK_WHY = Text(ko="왜 이렇게 답했는지: saegim why {turn}", en="Why it says so: saegim why {turn}")
WHY_TURN = Text(
    ko="턴 {turn}: {state}, 경로 {route}, 시도 {attempt}",
    en="turn {turn}: {state}, route {route}, attempt {attempt}",
)
WHY_MASKED = Text(ko="가린 것: {kinds}", en="masked: {kinds}")
WHY_ROUTE = Text(
    ko="이유: {reason} · 찾아본 말: {asked} · 태그: {hints}",
    en="because: {reason} · searched as: {asked} · tags: {hints}",
)
WHY_ANSWER = Text(
    ko="답: {outcome} · {choice} ({reasons}) · 확신 {confidence} · 자기 평가 {score}",
    en="answer: {outcome} · {choice} ({reasons}) · confidence {confidence} · self-score {score}",
)
WHY_REJECTED = Text(ko="없는 문서: {ids}", en="no such documents: {ids}")
WHY_SEARCHES = Text(ko="문서 찾기", en="library calls")
WHY_ITEMS = Text(ko="살펴본 것", en="considered")
WHY_TOOLS = Text(ko="도구", en="tools")
WHY_CITATIONS = Text(ko="인용", en="citations")
WHY_COST = Text(ko="비용 합계 (USD): {cost}", en="cost in all (USD): {cost}")
COLUMN_TOOL = Text(ko="도구", en="tool")
COLUMN_QUERIES = Text(ko="검색어", en="queries")
COLUMN_FILTERS = Text(ko="조건", en="filters")
COLUMN_FOUND = Text(ko="찾음", en="found")
COLUMN_KIND = Text(ko="종류", en="kind")
COLUMN_TITLE = Text(ko="제목", en="title")
COLUMN_FATE = Text(ko="결과", en="fate")
COLUMN_SIGNALS = Text(ko="점수", en="scores")
COLUMN_STATE = Text(ko="상태", en="state")
COLUMN_PROVIDER = Text(ko="제공자", en="provider")
COLUMN_MARKER = Text(ko="표시", en="marker")
COLUMN_DOCUMENT = Text(ko="문서", en="document")
WHY_CALLS = Text(ko="모델 호출", en="model calls")
WHY_BLOCKS = Text(ko="문맥", en="context")
WHY_SPANS = Text(ko="시간", en="time")
COLUMN_STEP = Text(ko="단계", en="step")
COLUMN_BY = Text(ko="누가", en="by")
COLUMN_FAULT = Text(ko="사유", en="fault")
COLUMN_TOKENS = Text(ko="토큰", en="tokens")
COLUMN_COST = Text(ko="비용 (USD)", en="cost (USD)")
COLUMN_SECONDS = Text(ko="초", en="seconds")
COLUMN_BLOCK = Text(ko="블록", en="block")
COLUMN_BUDGET = Text(ko="예산", en="budget")
COLUMN_ITEMS = Text(ko="항목", en="items")
COLUMN_DROPPED = Text(ko="뺀 것", en="dropped")
COLUMN_BEGAN = Text(ko="시작 (ms)", en="began (ms)")
COLUMN_TOOK = Text(ko="걸림 (ms)", en="took (ms)")
