"""Texts of the commands about backups and about whole tenants in a file."""

from saegim.cli.language import Text

HELP_BACKUP = Text(
    ko="모든 데이터를 한 시점으로 암호화하고 서명해 파일에 씁니다.",
    en="Write all data as of one moment to an encrypted, authenticated file.",
)
HELP_RESTORE = Text(
    ko="백업을 빈 데이터베이스에 되살립니다. 삭제된 사람은 돌아오지 않습니다.",
    en="Restore a backup into an empty database. Erased people stay erased.",
)
HELP_FILE = Text(
    ko="백업 파일, 또는 s3://버킷/이름. /로 끝나면 시각으로 이름을 짓고 확인합니다.",
    en="File of the backup, or s3://bucket/key; with / at its end, named by the moment, checked.",
)
HELP_CHECK = Text(
    ko="쓰지 않고, 있는 백업이 온전하고 변조되지 않았는지 확인합니다.",
    en="Write nothing; check that an existing backup is whole and untampered.",
)
HELP_WITH_KEYRING = Text(
    ko="키링도 넣습니다. 되살릴 때 마스터 키만 있으면 됩니다. 이 백업이 남아 있는 동안에는 "
    "그 뒤에 삭제된 사람의 키도 그 안에 남습니다.",
    en="Include the keyring, so that a restore needs the master key alone. As long as this backup "
    "exists, it holds the keys of people who are erased later.",
)
HELP_FORCE = Text(ko="있는 파일을 덮어씁니다.", en="Overwrite an existing file.")
HELP_DEV_RESTORE = Text(
    ko="시작하기 전에 백업을 빈 데이터 폴더에 되살립니다. 백업을 만든 설치의 master.key가 "
    "폴더에 있거나 SAEGIM_MASTER_KEY에 있어야 합니다.",
    en="Restore a backup into an empty data folder before starting. Needs the master key of the "
    "installation that made it: as master.key in the folder, or in SAEGIM_MASTER_KEY.",
)
BACKED_UP = Text(ko="{rows}행을 {file}에 썼습니다.", en="Wrote {rows} rows to {file}.")
NEEDS_BOTH = Text(
    ko="되살리려면 마스터 키({master})와 키링 데이터베이스도 필요합니다. 이 파일에는 둘 다 "
    "없으니 따로 백업하세요. --with-keyring을 주면 키링이 파일에 들어갑니다.",
    en="A restore also needs the master key ({master}) and the keyring database. Neither is in "
    "this file: back them up separately. With --with-keyring the keyring is in the file.",
)
NEEDS_MASTER = Text(
    ko="되살리려면 마스터 키({master})도 필요합니다. 이 파일에는 없으니 따로 보관하세요.",
    en="A restore also needs the master key ({master}). It is not in this file: keep it apart.",
)
BACKUP_WHOLE = Text(
    ko="{file}은 온전하고 변조되지 않았습니다: {rows}행, {at}, 스키마 {revision}.",
    en="{file} is whole and untampered: {rows} rows of {at}, schema {revision}.",
)
WITH_KEYRING = Text(ko="키링이 들어 있습니다.", en="The keyring is in it.")
WITHOUT_KEYRING = Text(
    ko="키링은 들어 있지 않습니다. 되살릴 때 키링 데이터베이스가 있어야 합니다.",
    en="The keyring is not in it: a restore needs the keyring database.",
)
RESTORED = Text(
    ko="{rows}행을 되살리고, 삭제된 {erased}명을 다시 지웠습니다. 색인을 다시 만듭니다.",
    en="Restored {rows} rows and erased {erased} people again. Search indexes are being rebuilt.",
)
TRAIL_ENDS_EARLY = Text(
    ko="테넌트 {tenant}의 감사 기록이 키링에 남은 것보다 먼저 끝납니다. 되살린 파일이 그보다 "
    "오래되었다면 확인하고 `saegim audit accept --tenant {tenant}`를 실행하세요. 그때까지 "
    "`saegim audit verify`는 기록이 잘렸다고 알립니다.",
    en="The audit trail of tenant {tenant} ends earlier than the keyring recorded. If that is "
    "because the file is older, run `saegim audit accept --tenant {tenant}`. Until then "
    "`saegim audit verify` reports a trail that was cut.",
)
NEEDS_MASTER_KEY = Text(
    ko="백업을 만든 설치의 마스터 키가 필요합니다. 그 master.key를 {path}로 복사하거나 "
    "SAEGIM_MASTER_KEY에 넣으세요.",
    en="The master key of the installation that made the backup is needed: copy its master.key to "
    "{path}, or set SAEGIM_MASTER_KEY.",
)
HELP_EXPORT = Text(
    ko="테넌트의 모든 데이터를 암호문구로 잠근 파일에 씁니다.",
    en="Write all of a tenant's data to a file locked by a passphrase.",
)
HELP_IMPORT = Text(
    ko="다른 설치에서 내보낸 테넌트를 들여옵니다. 색인은 다시 만들어집니다.",
    en="Bring in a tenant that was exported elsewhere. Its search index is rebuilt.",
)
HELP_EXPORT_FILE = Text(ko="테넌트 파일.", en="The tenant's file.")
HELP_PASSPHRASE_FILE = Text(
    ko="암호문구가 든 파일. 없으면 SAEGIM_PASSPHRASE를 쓰거나 묻습니다.",
    en="File with the passphrase; else SAEGIM_PASSPHRASE, or it is asked for.",
)
HELP_NEW_ID = Text(
    ko="새 테넌트 id로 들여옵니다. 옛 API 키는 쓸 수 없고 새 키를 하나 만듭니다.",
    en="Import under a new tenant id. The old API keys do not work there; a new one is made.",
)
ASK_PASSPHRASE = Text(ko="암호문구", en="Passphrase")
TABLE_DONE = Text(ko="{table}: {rows}행", en="{table}: {rows} rows")
EXPORTED = Text(
    ko="테넌트 {tenant}의 {rows}행을 {file}에 썼습니다. 암호문구를 따로 보관하세요.",
    en="Wrote {rows} rows of tenant {tenant} to {file}. Keep the passphrase apart.",
)
IMPORTED = Text(
    ko="테넌트 {tenant}의 {rows}행을 들여왔습니다. 삭제된 {erased}명은 삭제된 채입니다. "
    "색인을 다시 만듭니다.",
    en="Imported {rows} rows of tenant {tenant}. {erased} erased people stay erased. The search "
    "index is being rebuilt.",
)
NEW_KEY = Text(ko="새 API 키: {key}", en="New API key: {key}")
