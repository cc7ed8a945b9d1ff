/// The report page's style.
///
/// A verdict is told by a sign besides its colour; the colours are Okabe and Ito's, dark enough to be read.
enum ReportStyle {
    /// CSS: light and dark, narrow, and on paper.
    static let text = #"""
        :root { --paper: #f7f8f9; --card: #fff; --ink: #1c2328; --quiet: #55636e; --line: #dde3e7; --link: #00588c;
          --fail: #b94700; --broken: #6b3f8f; --known: #7d5b00; --pass: #00694d; --skip: #5d6a73; --pass-ground: #d5ece4; --skip-ground: #eceff1; --on: #fff; --mark: #0072b2; }
        @media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --paper: #14181b; --card: #1d2327; --ink: #e8edf0; --quiet: #9fadb7; --line: #343d44; --link: #7cc4f0;
          --fail: #ff9457; --broken: #c9a2ea; --known: #f0c14b; --pass: #5fd0aa; --skip: #98a5ae; --pass-ground: #173a30; --skip-ground: #262d32; --on: #14181b; --mark: #56b4e9; } }
        :root[data-theme=dark] { color-scheme: dark; --paper: #14181b; --card: #1d2327; --ink: #e8edf0; --quiet: #9fadb7; --line: #343d44; --link: #7cc4f0;
          --fail: #ff9457; --broken: #c9a2ea; --known: #f0c14b; --pass: #5fd0aa; --skip: #98a5ae; --pass-ground: #173a30; --skip-ground: #262d32; --on: #14181b; --mark: #56b4e9; }
        :root[data-theme=light] { color-scheme: light; }
        * { box-sizing: border-box; }
        body { font: 14px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; max-width: 82rem; padding: 1rem 1.25rem 4rem; }
        h1, h2, h3, p, ul, ol, dl, dd { margin: 0; } h1 { font-size: 1.25rem; } h2 { font-size: 1.05rem; } h3 { font-size: .9rem; }
        a { color: var(--link); text-decoration: none; cursor: pointer; } a:hover { text-decoration: underline; }
        :focus-visible { outline: 2px solid var(--mark); outline-offset: 1px; }
        code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        bdi { overflow-wrap: anywhere; } .quiet { color: var(--quiet); } .line { display: flex; gap: .5rem; align-items: center; flex-wrap: wrap; }
        button, select, input, .button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .35rem; padding: .2rem .55rem; }
        button { cursor: pointer; } #theme { margin-left: auto; } .button:not([href]) { opacity: .4; }
        [hidden] { display: none !important; } .shared { position: absolute; }
        header { display: grid; gap: .4rem; } .figures { display: flex; flex-wrap: wrap; gap: .5rem; }
        .figure { border-radius: .4rem; padding: .3rem .8rem; color: var(--on); } .figure b { font-size: 1.2rem; }
        .figure.none { background: var(--skip-ground); color: var(--quiet); }
        .figure.fail, .badge.fail, .count.fail, .cell.fail { background: var(--fail); color: var(--on); }
        .figure.broken, .badge.broken, .count.broken, .cell.broken { background: var(--broken); color: var(--on); }
        .figure.known, .badge.known, .count.known { background: var(--known); color: var(--on); } .cell.known { color: var(--known); box-shadow: inset 0 0 0 2px var(--known); font-weight: 700; }
        .figure.pass, .badge.pass, .count.pass { background: var(--pass); color: var(--on); } .cell.pass { background: var(--pass-ground); color: var(--pass); }
        .figure.skip, .badge.skip, .count.skip { background: var(--skip-ground); color: var(--skip); } .cell.skip { color: var(--skip); }
        .badge.change { border: 1px solid var(--mark); color: var(--mark); }
        .warning { border-left: .3rem solid var(--fail); background: var(--card); padding: .4rem .7rem; }
        section { margin-top: 1.4rem; display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr); }
        details > summary { cursor: pointer; padding: .15rem 0; }
        .causes { list-style: none; padding: 0; display: grid; gap: .45rem; } ul.causes { padding: .3rem 0 .3rem 1rem; }
        ol.causes > li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .7rem; display: grid; grid-template-columns: 6.2rem minmax(0, 1fr); gap: .8rem; align-items: start; }
        ol.causes > li:has([aria-current=true]) { border-color: var(--mark); box-shadow: 0 0 0 1px var(--mark); }
        .count { border-radius: .35rem; padding: .15rem .3rem; text-align: center; } .count b { font-size: 1.05rem; } .what { font-weight: 600; } a.case { margin-right: .6rem; }
        #filters { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; position: sticky; top: 0; background: var(--paper); padding: .5rem 0; z-index: 2; }
        #filters input { flex: 1 1 18rem; padding: .35rem .6rem; } #filters select { max-width: 13rem; } #count { color: var(--quiet); }
        .scroll { overflow-y: auto; overflow-x: hidden; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; position: relative; }
        .inner { position: relative; }
        .cell { display: inline-block; width: 20px; height: 20px; margin: 1px; border-radius: 3px; text-align: center; line-height: 20px; font-size: 12px; flex: none; cursor: pointer; position: relative; }
        .cell:not([data-index]) { cursor: default; } .cell.changed::after { content: ""; position: absolute; right: 0; top: 0; border: 5px solid; border-color: var(--mark) var(--mark) transparent transparent; border-radius: 0 3px 0 0; }
        .key .cell { vertical-align: middle; } .cell.active { outline: 2px solid var(--ink); outline-offset: -1px; } #lines:not(:focus) .cell.active { outline: none; } .cell[data-index]:hover { outline: 2px solid var(--mark); }
        #matrix { overflow-x: auto; } #across { width: max-content; min-width: 100%; --label: min(26rem, 46vw); }
        .row { position: absolute; display: flex; align-items: center; height: 24px; left: 0; right: 0; }
        .row .label { width: calc(var(--label) - 2.2rem); flex: none; padding-left: .5rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink); position: sticky; left: 0; background: var(--card); z-index: 1; } .row .label bdi { overflow-wrap: normal; }
        .row .bad { width: 2.2rem; flex: none; text-align: right; padding-right: .4rem; color: var(--fail); font-weight: 700; }
        #across .scroll { width: max(100%, calc(var(--label) + var(--columns) * 22px + 20px)); }
        .heads { display: flex; align-items: end; } .heads .dim { width: calc(var(--label) + 1px); flex: none; text-align: right; padding-right: .5rem; color: var(--quiet); font-size: .8rem; }
        .head { flex: none; overflow: hidden; white-space: nowrap; font-size: .8rem; border-left: 1px solid var(--line); padding-left: 2px; height: 100%; } .head.narrow { writing-mode: vertical-rl; transform: rotate(180deg); border-left: 0; border-right: 1px solid var(--line); padding: 2px 0 0; line-height: 20px; } .head a { color: var(--ink); }
        .entry { position: absolute; left: 0; right: 0; height: 46px; display: flex; gap: .7rem; align-items: center; padding: 0 .6rem; border-bottom: 1px solid var(--line); color: var(--ink); } .entry:hover { background: var(--skip-ground); text-decoration: none; }
        .badge { flex: none; border-radius: .3rem; padding: .05rem .5rem; min-width: 4.4rem; text-align: center; font-size: .88em; }
        .main { min-width: 0; display: grid; } .of, .found { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .found { font-size: .9em; color: var(--quiet); } .found b { color: var(--mark); }
        #charts-body { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: .7rem; }
        .chart { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .7rem; break-inside: avoid; }
        .chart .line { display: grid; grid-template-columns: 6.5rem minmax(4rem, 1fr) minmax(4.5rem, auto); gap: .6rem; font-size: .88em; } .chart .label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink); }
        .track { position: relative; height: 12px; background: linear-gradient(var(--line), var(--line)) center/100% 1px no-repeat; margin-right: 6px; } .track span { position: absolute; } .bar { top: 3px; height: 6px; background: color-mix(in srgb, var(--mark) 45%, transparent); border-radius: 2px; min-width: 1px; }
        .dot { width: 9px; height: 9px; margin-left: -4px; top: 1.5px; border-radius: 50%; background: var(--mark); } .was { width: 13px; height: 13px; margin-left: -6.5px; top: -.5px; border-radius: 50%; border: 2px solid var(--quiet); }
        .value { text-align: right; white-space: nowrap; } .value.up { color: var(--fail); font-weight: 700; } .value.up::before { content: "▲ "; } .value.down { color: var(--pass); } .value.down::before { content: "▼ "; }
        #case { position: fixed; inset: 0 0 0 auto; width: min(68rem, 94vw); overflow-y: auto; background: var(--card); border-left: 1px solid var(--line); box-shadow: 0 0 2rem #0005; padding: .8rem 1.1rem 3rem; z-index: 5; } #case .close { margin-left: auto; }
        .card { display: grid; gap: .55rem; margin-top: .7rem; grid-template-columns: minmax(0, 1fr); } .card h2 { flex: 1; min-width: 10rem; outline: none; } #kept .card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem; }
        .findings { padding-left: 1.1rem; } .metrics { display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; } .metrics dt { color: var(--quiet); font-size: .82em; } .metrics dd { font-weight: 600; }
        .command { display: flex; gap: .5rem; align-items: start; } .command code { background: var(--skip-ground); padding: .25rem .5rem; border-radius: .3rem; flex: 1; }
        .picture { min-height: 2rem; } .picture svg { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .3rem; display: block; }
        @media (prefers-color-scheme: dark) { :root:not([data-theme=light]) .picture svg { filter: invert(.9) hue-rotate(180deg); } } :root[data-theme=dark] .picture svg { filter: invert(.9) hue-rotate(180deg); }
        @media (max-width: 40rem) { body { padding: .7rem .6rem 3rem; } ol.causes > li { grid-template-columns: minmax(0, 1fr); gap: .3rem; } .count { justify-self: start; padding: .1rem .6rem; } #case { width: 100vw; padding: .6rem; } #across { --label: 42vw; } #filters { position: static; } #filters select { max-width: 46%; } }
        @media print { :root, :root[data-theme] { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --quiet: #444; --line: #bbb; --link: #000; --fail: #b94700; --broken: #6b3f8f; --known: #7d5b00; --pass: #00694d; --on: #fff; --mark: #0072b2; --skip-ground: #eee; }
          body { max-width: none; padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; } #filters, #matrix, .key, .noprint, button, #theme { display: none !important; } #list { height: auto !important; overflow: visible; border: 0; } #list .inner { height: auto !important; } #list .entry { position: static; break-inside: avoid; }
          #case { position: static; width: auto; border: 0; box-shadow: none; padding: 0; } .picture svg { filter: none !important; break-inside: avoid; } ol.causes > li, .card { break-inside: avoid; } }
        """#
}
