"""Texts of the commands about cells."""

from saegim.cli.language import Text

HELP = Text(
    ko="셀: 테넌트가 사는 저장소들을 다룹니다.", en="Cells: the stores that tenants live in."
)
HELP_ADD = Text(
    ko="설정(SAEGIM_CELLS)에 있는 셀의 스키마를 만들고 쓸 수 있는지 확인합니다.",
    en="Make the schema of a cell that the settings name (SAEGIM_CELLS), and check it.",
)
HELP_LIST = Text(
    ko="셀마다 상태와 테넌트 수를 보여 줍니다.", en="Show how each cell is, and its tenants."
)
HELP_NAME = Text(ko="셀의 이름.", en="Name of the cell.")
HELP_OF_TENANT = Text(ko="테넌트가 살 셀.", en="The cell that the tenant is to live in.")
HELP_OF_WORKER = Text(ko="이 워커가 일할 셀.", en="The cell that this worker works for.")
HELP_MOVE = Text(
    ko="테넌트를 다른 셀로 옮깁니다. 끊기면 다시 실행해 이어 갑니다.",
    en="Move a tenant to another cell; run it again to go on after it was cut off.",
)
HELP_TENANT = Text(ko="테넌트의 id.", en="Id of the tenant.")
HELP_TO = Text(
    ko="갈 셀. 확정하기 전에는 온 셀을 적어 되돌릴 수 있습니다.",
    en="Where to; until it is confirmed, naming the cell it came from takes it back.",
)
HELP_CONFIRM = Text(
    ko="옮기기를 확정하고 온 셀에 남은 것을 지웁니다. 되돌릴 수 없습니다.",
    en="Confirm the move and remove what the old cell still has; there is no way back.",
)
NO_CELL = Text(ko="SAEGIM_CELLS에 {cell} 셀이 없습니다.", en="SAEGIM_CELLS names no cell {cell}.")
NEEDS_OWNER = Text(
    ko="SAEGIM_CELLS의 {cell}에 postgres_admin_url이 없습니다.",
    en="SAEGIM_CELLS gives no postgres_admin_url for {cell}.",
)
ADDED = Text(
    ko="셀 {cell}을 쓸 수 있습니다 (스키마 {revision}).",
    en="Cell {cell} can be used (schema {revision}).",
)
LINE = Text(
    ko="{cell}: {state}, 스키마 {revision}, 테넌트 {tenants}, 워커 {workers}, 대기 작업 {waiting}",
    en="{cell}: {state}, schema {revision}, {tenants} tenants, {workers} workers, {waiting} jobs",
)
UP = Text(ko="응답함", en="up")
DOWN = Text(ko="응답 없음", en="down")
MOVED = Text(
    ko="옮겼습니다: 행 {rows}개, 작업 {jobs}개. 쓰기는 {seconds}초 멈췄습니다. "
    "`saegim tenant move {tenant} --confirm`으로 확정합니다.",
    en="Moved: {rows} rows, {jobs} jobs. Writing paused for {seconds} s. "
    "Confirm with `saegim tenant move {tenant} --confirm`.",
)
CONFIRMED = Text(
    ko="확정했습니다. 행 {rows}개를 지웠습니다.", en="Confirmed; {rows} rows were removed."
)
MOVE_OR_CONFIRM = Text(
    ko="--to CELL이나 --confirm 가운데 하나를 적습니다.", en="Give either --to CELL or --confirm."
)
