namespace Emu.Compiler;

/// <summary>How a page looks, on a bright or a dark screen and on paper. No character that XML would escape.</summary>
internal static class PageStyle
{
    public const string Text = """

        :root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #5c6670; --line: #d5dae0; --fill: #f3f5f7; --accent: #0b62b8; --warm: #b4530a; --bar: #9cc3ea; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #14181d; --ink: #e4e8ec; --soft: #98a3ae; --line: #343c45; --fill: #1d232a; --accent: #6db3f8; --warm: #f0a35e; --bar: #2f5f8f; }
        }
        @media print {
          :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --fill: #fff; --accent: #0b4a8f; --warm: #8a3c00; --bar: #9cc3ea; }
          body { font-size: 9pt; max-width: none; margin: 0; }
          section { break-inside: auto; } h2 { break-after: avoid; } svg, tr, .figure { break-inside: avoid; }
          * { print-color-adjust: exact; }
        }
        body { font: 14px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.9em; margin: 0; } h2 { font-size: 1.25em; margin: 2.2em 0 .6em; border-bottom: 1px solid var(--line); }
        .layout { font-size: .5em; font-weight: 600; vertical-align: middle; margin-left: .8em; padding: .25em .7em; border-radius: 1em; color: var(--paper); background: var(--accent); }
        header p { margin: .3em 0 1.2em; color: var(--soft); } .more { color: var(--soft); font-size: .92em; }
        code, .place, .mono { font: .92em/1.45 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.2rem, 1fr)); gap: .7rem; }
        .figure { background: var(--fill); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; display: flex; flex-direction: column; }
        .figure .name { color: var(--soft); } .figure .number { text-align: left; font-size: 1.8em; line-height: 1.25; font-weight: 600; white-space: nowrap; } .unit { font-size: .5em; font-weight: 400; margin-left: .35em; }
        .wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin: .6em 0; } th { text-align: left; color: var(--soft); font-weight: 600; }
        th, td { padding: .2em .8em .2em 0; border-bottom: 1px solid var(--line); vertical-align: top; } .number { text-align: right; font-variant-numeric: tabular-nums; }
        table.source { margin: .2em 0; } table.source td { border: 0; padding: 0 1em 0 0; } .place { color: var(--soft); white-space: nowrap; width: 1%; text-align: right; }
        .bounds { padding-left: 1.2em; } .bounds p { margin: .2em 0; } .bar { height: .8em; margin-top: .35em; background: var(--bar); border-radius: 2px; }
        details.step { border-left: 3px solid var(--bar); padding-left: .9em; margin: .9em 0; } summary { cursor: pointer; }
        svg { display: block; width: 100%; height: auto; margin: .5em 0; } svg text { fill: var(--ink); font: 12px system-ui, "DejaVu Sans", sans-serif; }
        svg .soft { fill: var(--soft); } svg .small { font-size: 10.5px; fill: var(--soft); } svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
        svg .title { text-anchor: middle; font-weight: 600; } svg .under { text-anchor: middle; font-size: 10.5px; fill: var(--soft); } svg .tick { text-anchor: end; font-size: 10.5px; fill: var(--soft); }
        svg .box { fill: var(--fill); stroke: var(--line); } svg .stage { fill: var(--fill); stroke: var(--accent); } svg .grid { stroke: var(--line); stroke-width: 1; }
        svg .arrow { stroke: var(--soft); fill: none; } svg .measured { stroke: var(--accent); fill: none; stroke-width: 2; } svg .dot { fill: var(--accent); }
        svg .limit { stroke: var(--soft); fill: none; stroke-dasharray: 5 4; } svg .line { stroke: var(--warm); fill: none; stroke-dasharray: 2 3; } svg .warm { fill: var(--warm); }
        svg .back { stroke: var(--warm); fill: none; stroke-width: 1.5; } svg .read { fill: var(--paper); stroke: var(--accent); stroke-width: 2; } svg .write { fill: var(--accent); stroke: var(--accent); stroke-width: 2; }
        svg .held { stroke: var(--accent); } svg .share { fill: var(--bar); } svg .code { font: 11px ui-monospace, "DejaVu Sans Mono", monospace; }

        """;
}
