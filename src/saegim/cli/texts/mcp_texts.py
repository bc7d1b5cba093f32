"""What `saegim mcp` says, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="MCP 서버를 표준 입출력으로 실행합니다: remember, recall, search, lookup, get_section, "
    "forget.",
    en="Run an MCP server on standard input and output: remember, recall, search, lookup, "
    "get_section, forget.",
)
NO_EXTRA = Text(ko="MCP를 쓰려면 saegim[mcp]를 설치하세요.", en="Install saegim[mcp] to use MCP.")
