"""Texts of `saegim reembed`, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="테넌트를 다른 임베더로 옮깁니다. 그동안 검색은 그대로이고, 다 되면 한꺼번에 바뀝니다. "
    "다시 실행하면 이어서 하고, 지금 쓰는 임베더를 주면 그만둡니다.",
    en="Move tenants to another embedder. Search goes on meanwhile, and all of it switches at "
    "once. Run again, it goes on; with the embedder in use, a move is given up.",
)
HELP_TO = Text(
    ko="임베더의 이름, 모델/차원. 예: text-embedding-3-small/512",
    en="The embedder's name, model/dimensions, such as text-embedding-3-small/512.",
)
HELP_TENANT = Text(
    ko="테넌트의 id. 없으면 모두 (SAEGIM_POSTGRES_ADMIN_URL 필요).",
    en="Id of the tenant; without it all of them (needs SAEGIM_POSTGRES_ADMIN_URL).",
)
HELP_NO_WAIT = Text(ko="작업만 넣고 기다리지 않습니다.", en="Queue the work and do not wait.")
NEEDS_ADMIN = Text(
    ko="모든 테넌트를 옮기려면 모든 테넌트를 볼 수 있는 SAEGIM_POSTGRES_ADMIN_URL이 필요합니다. "
    "아니면 --tenant를 주세요.",
    en="To move all tenants, SAEGIM_POSTGRES_ADMIN_URL must see them all; or name a --tenant.",
)
EMBEDDING = Text(ko="임베딩", en="embedding")
QUEUED = Text(
    ko="테넌트 {tenants}곳을 {embedder}(으)로 옮기는 작업을 넣었습니다.",
    en="Tenants that move to {embedder}: {tenants}.",
)
DONE = Text(
    ko="테넌트 {tenants}곳이 {embedder}을(를) 씁니다.",
    en="Tenants that use {embedder} now: {tenants}.",
)
