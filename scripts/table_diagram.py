"""Draw docs/images/tables.svg: the tables by feature, with arrows to the tables they refer to.

python scripts/table_diagram.py [--check]
"""

import sys
from dataclasses import dataclass
from pathlib import Path

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "tables.svg"
WIDTH, ROW, GAP, COLUMN_GAP, TOP = 250, 24, 34, 70, 30

# Columns of the picture with their groups: the title, then `table > referenced table`.
# Nearly every table has a tenant_id, so arrows to `tenant` are omitted.
COLUMNS: list[dict[str, str]] = [
    {
        "auth/": """tenant
            member
            profile > member
            identity > member
            link_code > member
            sign_in > member
            account > member
            invitation
            reset_link > member
            account_directory
            set_up_code
            app_key > member, assistant
            issuer > assistant""",
        "assistants/": """assistant
            assistant_version > assistant
            assistant_collection > assistant, collection""",
        "evaluation/": """evaluation_set > assistant
            evaluation_run > assistant
            evaluation_result > evaluation_run""",
        "llm/": """model_connection
            model_role > model_connection""",
        "quotas/ · webhooks/": """usage_limit
            webhook
            webhook_delivery > webhook""",
        "community/": """guild
            guild_channel > guild
            guild_activity > guild
            guild_notice > guild""",
    },
    {
        "conversations/": """session > profile, assistant
            turn > session
            turn_terms > turn
            session_summary > session""",
        "usage/ · chat/": """turn_trace > turn
            usage_event > turn
            feedback > turn""",
        "memory/": """memory > profile
            memory_version > memory
            memory_vector > memory
            digest > profile
            derived_memory > profile
            episode > session
            episode_vector > episode
            extraction > turn
            term_count > profile
            memory_import > profile
            consent""",
        "team_memory/": """team_memory > collection
            team_memory_version > team_memory
            team_memory_source > team_memory, member""",
    },
    {
        "library/": """collection
            document > collection
            section > document
            passage > section
            passage_vector > passage
            original > collection
            original_part > original
            ingest > collection
            ingest_file > ingest
            file_part > ingest_file
            ranking
            index_state
            index_build
            index_change > passage
            retired_index
            embedder_use""",
        "sources/": """source > collection
            source_item > source""",
        "governance/": """erasure > member
            reembed
            tenant_move > tenant_directory""",
        "audit/": """audit_event
            audit_seal""",
        "db/ · jobs/": """tenant_directory
            job_failure""",
        "encryption/ (keyring database)": """wrapped_key
            audit_head""",
    },
]

STYLE = """
    svg { font-family: ui-sans-serif, system-ui, "Segoe UI", "Noto Sans", sans-serif; }
    text { fill: #1f2430; font-size: 13px; }
    .paper { fill: #ffffff; }
    .title { fill: #5b6472; font-size: 12px; font-weight: 600; }
    .table { fill: #f3f5f9; stroke: #8a93a3; }
    .refers { stroke: #3b6fd4; stroke-width: 1.2; fill: none; marker-end: url(#head); }
    .head { fill: #3b6fd4; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e8ebf1; } .paper { fill: #12151c; } .title { fill: #a5aebd; }
      .table { fill: #232936; stroke: #6f7888; }
      .refers { stroke: #7ba4f4; } .head { fill: #7ba4f4; }
    }
"""


@dataclass(frozen=True, slots=True)
class Box:
    """A table in the picture: its column, its upper left corner, and the tables it refers to."""

    column: int
    x: int
    y: int
    refers: tuple[str, ...]


def boxes() -> tuple[dict[str, Box], list[tuple[str, int, int]]]:
    """Returns the boxes by table name, and the titles of the groups with their positions."""
    tables: dict[str, Box] = {}
    titles: list[tuple[str, int, int]] = []
    for column, groups in enumerate(COLUMNS):
        x, y = 40 + column * (WIDTH + COLUMN_GAP), TOP
        for title, lines in groups.items():
            titles.append((title, x, y))
            y += 8
            for line in lines.splitlines():
                name, _, refers = line.strip().partition(" > ")
                tables[name] = Box(column, x, y, tuple(refers.split(", ")) if refers else ())
                y += ROW
            y += GAP
    return tables, titles


def line(child: Box, parent: Box) -> str:
    """Draws the arrow from a table to one that it refers to."""
    y, to_y = child.y + ROW // 2 - 2, parent.y + ROW // 2 - 2
    if child.column == parent.column:
        x = child.x
        bend = x - 12 - min(abs(y - to_y) // 12, 20)
        return f'<path class="refers" d="M{x} {y} C{bend} {y} {bend} {to_y} {x - 1} {to_y}"/>'
    leftwards = child.column > parent.column
    x = child.x if leftwards else child.x + WIDTH
    to_x = parent.x + WIDTH + 1 if leftwards else parent.x - 1
    middle = (x + to_x) // 2
    return f'<path class="refers" d="M{x} {y} C{middle} {y} {middle} {to_y} {to_x} {to_y}"/>'


def draw() -> str:
    """Draws the picture as SVG."""
    tables, titles = boxes()
    width = 80 + len(COLUMNS) * WIDTH + (len(COLUMNS) - 1) * COLUMN_GAP
    height = max(box.y for box in tables.values()) + 60
    marks = [f'<text class="title" x="{x}" y="{y}">{title}</text>' for title, x, y in titles]
    # Arrows first, so that boxes cover them.
    marks += [line(box, tables[parent]) for box in tables.values() for parent in box.refers]
    marks += [
        f'<rect class="table" x="{box.x}" y="{box.y}" width="{WIDTH}" height="{ROW - 4}"/>'
        f'<text x="{box.x + 8}" y="{box.y + 15}">{name}</text>'
        for name, box in tables.items()
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            "<title>Tables by feature; an arrow points at the table that a table refers to</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6"',
            'markerHeight="6" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
            f'<rect class="paper" width="{width}" height="{height}" rx="10"/>',
            *marks,
            "</svg>\n",
        ]
    )


def main() -> int:
    text = draw()
    if "--check" not in sys.argv:
        PICTURE.write_text(text, "utf-8")
        return 0
    if PICTURE.exists() and PICTURE.read_text("utf-8") == text:
        return 0
    print("docs/images/tables.svg is stale, run scripts/table_diagram.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
