"""What `saegim jobs` says, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="백그라운드 작업을 보고 다시 실행합니다.", en="Look at background jobs, run them again."
)
HELP_LIST = Text(
    ko="대기열의 작업을 오래된 것부터 보여 줍니다.", en="The jobs in the queue, oldest first."
)
HELP_SHOW = Text(ko="작업 하나를 자세히 보여 줍니다.", en="One job in detail.")
HELP_REPLAY = Text(
    ko="끝내 실패한 작업을 다시 줄에 세웁니다.",
    en="Put jobs that failed for good back in line.",
)
HELP_FAILED = Text(ko="끝내 실패한 작업만.", en="Only those that failed for good.")
HELP_MOST = Text(ko="많아야 이만큼.", en="At most that many.")
HELP_ID = Text(ko="작업의 번호.", en="Number of the job.")
HELP_CELL = Text(
    ko="이 셀의 작업만. 없으면 모든 셀.", en="Only jobs of this cell, instead of every cell's."
)
HELP_ALL = Text(ko="끝내 실패한 작업 모두.", en="All that failed for good.")

STATES = {
    "waiting": Text(ko="대기", en="waiting"),
    "scheduled": Text(ko="예약", en="scheduled"),
    "running": Text(ko="실행 중", en="running"),
    "failed": Text(ko="실패", en="failed"),
}

CELL = Text(ko="셀", en="cell")
ID = Text(ko="번호", en="id")
KIND = Text(ko="종류", en="kind")
STATE = Text(ko="상태", en="state")
TENANT = Text(ko="테넌트", en="tenant")
SUBJECT = Text(ko="대상", en="subject")
LOCK = Text(ko="잠금", en="lock")
FAILURES = Text(ko="실패 횟수", en="failures")
ERROR = Text(ko="마지막 오류", en="last error")
FAILED_AT = Text(ko="실패한 때", en="failed at")
QUEUED_AT = Text(ko="들어온 때", en="queued at")
DUE_AT = Text(ko="실행할 때", en="due at")

NONE = Text(ko="작업이 없습니다.", en="There are no jobs.")
NONE_FAILED = Text(ko="끝내 실패한 작업이 없습니다.", en="No job failed for good.")
NOT_THERE = Text(
    ko="{job}번 작업이 없습니다. 이미 끝났을 수 있습니다.",
    en="There is no job {job}. It may be done already.",
)
NOT_FAILED = Text(
    ko="{job}번 작업은 끝내 실패한 작업이 아닙니다.",
    en="Job {job} is not one that failed for good.",
)
WHICH_CELL = Text(
    ko="{job}번 작업이 여러 셀에 있습니다({cells}). --cell로 하나를 고르세요.",
    en="There is a job {job} in more than one cell ({cells}): name one with --cell.",
)
CELL_DOWN = Text(
    ko="셀 {cell}의 작업은 볼 수 없습니다. 저장소가 응답하지 않습니다.",
    en="Jobs of cell {cell} cannot be seen: its store does not answer.",
)
ONE_OR_ALL = Text(
    ko="작업의 번호나 --all 중 하나를 주세요.",
    en="Give the number of a job, or --all.",
)
REPLAYED = Text(ko="{count}개 작업을 다시 줄에 세웠습니다.", en="{count} back in line.")
