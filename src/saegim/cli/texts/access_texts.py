"""Texts of the commands about keys, members, assistants and audit."""

from saegim.cli.language import Text

HELP_KEY_LIST = Text(ko="키 목록을 보여 줍니다.", en="List the tenant's keys.")
HELP_KEY_ROTATE = Text(
    ko="같은 권한의 새 키를 만들고, 옛 키는 겹침 시간이 지나면 끝납니다.",
    en="Make a successor with the same rights; the old key ends after the overlap.",
)
HELP_KEY_REVOKE = Text(ko="키를 바로 끝냅니다.", en="End a key at once.")
HELP_KEY_ID = Text(ko="키의 id입니다.", en="Id of the key.")
HELP_OVERLAP = Text(ko="옛 키가 더 쓰이는 시간(초).", en="Seconds that the old key goes on.")
HELP_MEMBER = Text(ko="구성원과 역할을 다룹니다.", en="Members and their roles.")
HELP_MEMBER_LIST = Text(ko="구성원 목록을 보여 줍니다.", en="List the tenant's members.")
HELP_MEMBER_SET = Text(
    ko="구성원의 역할이나 그룹을 바꾸거나, 들어오지 못하게 합니다.",
    en="Change a member's role or groups, or lock it out.",
)
HELP_MEMBER_ID = Text(ko="구성원의 id입니다.", en="Id of the member.")
HELP_ROLE = Text(
    ko="owner, admin, editor, member, auditor 가운데 하나.",
    en="One of owner, admin, editor, member, auditor.",
)
HELP_GROUPS = Text(ko="그룹 이름. 여러 번 쓸 수 있습니다.", en="A group; may be given again.")
HELP_DISABLED = Text(ko="들어오지 못하게 할지.", en="Whether it is locked out.")
HELP_ASSISTANT = Text(ko="어시스턴트의 설정 버전을 다룹니다.", en="Versions of assistants.")
HELP_ASSISTANT_LIST = Text(ko="어시스턴트 목록을 보여 줍니다.", en="List the assistants.")
HELP_ASSISTANT_VERSIONS = Text(ko="버전 목록을 보여 줍니다.", en="List an assistant's versions.")
HELP_ASSISTANT_DRAFT = Text(
    ko="JSON 파일로 초안을 씁니다. 답하는 설정은 바뀌지 않습니다.",
    en="Write the draft from a JSON file; what answers does not change.",
)
HELP_ASSISTANT_PUBLISH = Text(ko="초안을 내보냅니다.", en="Publish the draft.")
HELP_ASSISTANT_ROLLBACK = Text(ko="앞선 버전으로 되돌립니다.", en="Go back to an earlier version.")
HELP_ASSISTANT_ID = Text(ko="어시스턴트의 id입니다.", en="Id of the assistant.")
HELP_VERSION = Text(ko="버전 번호.", en="Number of the version.")
HELP_FILE = Text(ko="JSON 파일.", en="A JSON file.")
HELP_AUDIT = Text(ko="감사 기록을 다룹니다.", en="The audit trail.")
HELP_AUDIT_VERIFY = Text(
    ko="감사 기록의 해시 사슬을 확인합니다.", en="Verify the chain of the audit trail."
)
HELP_KEYS = Text(ko="암호화 키를 바꿉니다.", en="Rotate the keys that encrypt.")
HELP_KEYS_ROTATE = Text(
    ko="data(사람마다의 키), tenant, master 가운데 하나를 바꿉니다. 서비스는 계속됩니다.",
    en="Rotate data (each person's key), tenant or master keys, while everything serves.",
)
HELP_AUDIT_ACCEPT = Text(
    ko="오래된 백업을 되살린 뒤, 감사 기록의 지금 끝을 키 보관소에 기록합니다.",
    en="Record the present end of a trail in the keyring, after restoring an older backup.",
)
NO_TRAIL = Text(ko="봉인된 감사 기록이 없습니다.", en="No sealed audit trail yet.")
ACCEPTED_HEAD = Text(
    ko="묶음 {number}까지를 감사 기록의 끝으로 기록했습니다.\n머리 {head}",
    en="Recorded batch {number} as the end of the audit trail.\nhead {head}",
)
HELP_KEYS_PRUNE = Text(
    ko="없는 테넌트의 키를 키 보관소에서 지웁니다.",
    en="Delete keys of tenants that do not exist from the keyring.",
)
PRUNED_KEYS = Text(
    ko="없는 테넌트의 키 {count}개를 지웠습니다.",
    en="Deleted {count} keys of tenants that do not exist.",
)
HELP_WHAT = Text(ko="무엇을 바꿀지.", en="Which keys.")

MADE = Text(ko="새 키: {secret}", en="new key: {secret}")
DONE = Text(ko="되었습니다.", en="Done.")
WHOLE = Text(
    ko="사슬이 온전합니다: 묶음 {batches}, 사건 {events}, 아직 봉인 전 {unsealed}\n머리 {head}",
    en="The chain is whole: {batches} batches, {events} events, {unsealed} unsealed\nhead {head}",
)
BROKEN = Text(ko="사슬이 깨졌습니다: {what}", en="The chain is broken: {what}")
ROTATED_MASTER = Text(
    ko="테넌트 키 {count}개를 새 마스터 키로 감쌌습니다. 이제 옛 마스터 키를 지울 수 있습니다.",
    en="The new master key wraps {count} tenant keys. The old one can go now.",
)
ROTATED_TENANT = Text(
    ko="사용자 키 {count}개를 감쌌습니다. 새 테넌트 키는 {seconds:.0f}초 뒤부터 쓰입니다.\n"
    "그 뒤에 한 번 더 실행하세요.",
    en="Wrapped {count} user keys. A new tenant key counts in {seconds:.0f} s.\n"
    "Run this again then.",
)
ROTATED_DATA = Text(
    ko="{count}명의 데이터 키를 바꿉니다. 워커가 뒤에서 다시 암호화합니다.",
    en="Rotating the data keys of {count} people. Workers seal everything anew.",
)
NEEDS_TENANT = Text(ko="--tenant가 필요합니다.", en="It needs --tenant.")
