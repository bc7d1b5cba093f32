"""How the page looks."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --soft: #667; --line: #d8dbe0;
  --good: #0a7a4b; --bad: #b3261e; --card: #f7f8fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --paper: #16181b; --soft: #9aa0a8;
  --line: #34383e; --good: #5fce9b; --bad: #ff8a80; --card: #1e2125; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui,
  "Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", "Malgun Gothic", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 26px; margin: 8px 0 0; } h2 { font-size: 19px; margin: 40px 0 8px; }
.made, .help, small, figcaption { color: var(--soft); } .help { max-width: 75ch; margin: 0 0 12px; }
.short { font-size: 17px; } .short li { margin: 4px 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 6px 10px 6px 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); font-size: 13px; white-space: nowrap; }
td.score { white-space: nowrap; }
tr.passed b, .good { color: var(--good); } tr.failed b, .bad { color: var(--bad); }
.level { color: var(--soft); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: 20px;
  margin-top: 16px; }
.charts figure:first-child { grid-column: 1 / -1; }
@media (max-width: 900px) { .charts { grid-template-columns: 1fr; } }
figure { margin: 0; padding: 12px; background: var(--card); border-radius: 8px; }
svg text { fill: var(--soft); font-size: 12px; }
.charts figure:first-child .chart { max-height: 420px; } .grid { stroke: var(--line); }
.whisker { stroke: var(--ink); stroke-opacity: .55; }
.whiskers { width: 160px; height: 16px; display: block; } .zero { stroke: var(--line); }
.whiskers .span { stroke: currentColor; stroke-width: 2; } .whiskers circle { fill: currentColor; }
.spark { width: 120px; height: 24px; } .spark polyline { fill: none; stroke: var(--soft);
  stroke-width: 1.5; }
.legend { margin: 6px 0 0; display: flex; flex-wrap: wrap; gap: 4px 14px; font-size: 13px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px;
  margin-right: 5px; }
details { margin: 8px 0; } summary { cursor: pointer; }
code { font-size: 13px; overflow-wrap: anywhere; }
"""
