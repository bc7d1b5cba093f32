"""What `saegim discord` says, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="Discord 봇을 실행합니다. 멘션될 때만 답합니다.",
    en="Run the Discord bot, which answers only when it is mentioned.",
)
NO_EXTRA = Text(
    ko="Discord 봇을 쓰려면 saegim[discord]를 설치하세요.",
    en="Install saegim[discord] to run the Discord bot.",
)
NO_TOKEN = Text(
    ko="SAEGIM_DISCORD_TOKEN에 봇의 토큰이 없습니다.",
    en="SAEGIM_DISCORD_TOKEN has no token of a bot.",
)
WRONG_SHARDS = Text(
    ko="SAEGIM_DISCORD_SHARDS는 0,1/4처럼 씁니다: {found}",
    en="SAEGIM_DISCORD_SHARDS is written like 0,1/4: {found}",
)
NO_PLUGIN = Text(
    ko="설치된 패키지에 없는 플러그인입니다: {name}",
    en="No installed package has the plug-in {name}",
)
REFUSED = Text(ko="Discord가 토큰을 받지 않습니다.", en="Discord does not take the token.")
