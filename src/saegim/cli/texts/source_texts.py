"""Texts of `saegim source`, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="문서가 저절로 들어오는 출처를 관리합니다: 폴더, 웹 페이지, 사이트맵, S3 버킷.",
    en="Sources whose documents stay in sync: a folder, web pages, a sitemap, an S3 bucket.",
)
HELP_ADD = Text(
    ko="출처를 더하고 바로 읽기 시작합니다.", en="Add a source and start reading it at once."
)
HELP_ADD_URLS = Text(ko="웹 페이지의 목록.", en="A list of web pages.")
HELP_ADD_SITEMAP = Text(
    ko="사이트맵에 있는, 같은 호스트의 페이지.", en="The pages of a sitemap, on its own host."
)
HELP_ADD_S3 = Text(
    ko="S3 호환 버킷. 키는 환경 변수 AWS_ACCESS_KEY_ID와 AWS_SECRET_ACCESS_KEY에서 읽습니다.",
    en="An S3-compatible bucket. Keys are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
)
HELP_ADD_FOLDER = Text(
    ko="서버의 폴더. SAEGIM_SOURCES_FOLDER 아래여야 하고, 운영자만 더할 수 있습니다.",
    en="A folder of the server, below SAEGIM_SOURCES_FOLDER. For operators.",
)
HELP_LIST = Text(ko="출처와 지난 동기화의 결과.", en="Sources, and how their last look went.")
HELP_SYNC = Text(ko="지금 동기화합니다.", en="Look at a source now.")
HELP_REMOVE = Text(
    ko="출처를 없애고, 거기서 온 문서도 모두 지웁니다.",
    en="Remove a source, and every document that came from it.",
)
HELP_ID = Text(ko="출처의 아이디.", en="The source's id.")
HELP_URLS = Text(ko="페이지의 주소.", en="Addresses of pages.")
HELP_SITEMAP = Text(ko="사이트맵의 주소.", en="The sitemap's address.")
HELP_BUCKET = Text(ko="버킷의 이름.", en="The bucket's name.")
HELP_PREFIX = Text(ko="이 접두어로 시작하는 것만.", en="Only what begins so.")
HELP_ENDPOINT = Text(ko="S3의 주소.", en="Address of the S3 service.")
HELP_REGION = Text(ko="리전.", en="The region.")
HELP_FOLDER = Text(
    ko="서버에 있는 폴더의 절대 경로.", en="Absolute path of a folder on the server."
)
HELP_EVERY = Text(ko="몇 시간마다 볼지.", en="Hours between two looks.")
HELP_ITEMS = Text(ko="한 번에 보는 문서의 최대 수.", en="Documents of one look at most.")
HELP_YES = Text(ko="묻지 않습니다.", en="Do not ask.")
NO_KEYS = Text(
    ko="AWS_ACCESS_KEY_ID와 AWS_SECRET_ACCESS_KEY를 설정하세요.",
    en="Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
)
ADDED = Text(ko="출처를 더했습니다: {source}", en="Added the source {source}")
QUEUED = Text(ko="곧 동기화합니다: {source}", en="Will be looked at shortly: {source}")
REMOVED = Text(
    ko="출처를 없앴습니다. 문서가 뒤따라 지워집니다: {source}",
    en="Removed the source; its documents follow: {source}",
)
NONE = Text(ko="출처가 없습니다.", en="There are no sources.")
SURE = Text(
    ko="{source}에서 온 문서를 모두 지울까요?", en="Delete every document that came from {source}?"
)
LINE = Text(
    ko="{source}  {kind}  {address}\n"
    "    문서 {documents} · 바뀜 {changed} · 그대로 {unchanged} · 실패 {failed} · 삭제 {removed}"
    " · {when}",
    en="{source}  {kind}  {address}\n"
    "    documents {documents} · changed {changed} · unchanged {unchanged} · failed {failed}"
    " · removed {removed} · {when}",
)
RUNNING = Text(ko="동기화 중", en="running")
NEVER = Text(ko="아직 안 봄", en="not looked at yet")
ERROR = Text(ko="    문제: {error}", en="    trouble: {error}")
