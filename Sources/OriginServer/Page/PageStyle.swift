/// The web page's style.
enum PageStyle {
    /// CSS, with both colour schemes.
    static let text = #"""
        :root {
          --paper: #faf9f7; --card: #fff; --ink: #1d1c1a; --quiet: #76716a; --line: #e8e4de; --accent: #d9472f;
          --chip: #f1eee9; --shade: 0 1px 2px #0000000d, 0 6px 24px #0000000f;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #161514; --card: #211f1d; --ink: #f1eeea; --quiet: #9c958c; --line: #33302c; --accent: #ff7a5f;
            --chip: #2d2a27; --shade: 0 1px 2px #0006, 0 6px 24px #0006;
          }
        }
        * { box-sizing: border-box; margin: 0; }
        body { background: var(--paper); color: var(--ink); font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; padding: 0 max(1rem, calc(50vw - 32rem)) 4rem; }
        a { color: inherit; text-decoration: none; }
        code { font: .9em ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; background: var(--chip); padding: .15em .45em; border-radius: .4em; user-select: all; }
        .quiet { color: var(--quiet); font-size: .875rem; }
        header { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem; padding: 1.25rem 0; }
        .brand { display: flex; align-items: center; gap: .55rem; font-size: 1.3rem; font-weight: 700; letter-spacing: -.02em; }
        .brand svg { width: 1.6rem; }
        .brand rect { fill: var(--accent); }
        .brand path { fill: #fff; }
        header form { flex: 1 1 16rem; }
        input[type=search] { width: 100%; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .7rem; padding: .55rem .9rem; outline: none; }
        input[type=search]:focus, .item:focus-visible { border-color: var(--accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--accent) 22%, transparent); outline: none; }
        .address { color: var(--quiet); font-size: .875rem; white-space: nowrap; }
        #player { position: sticky; top: .75rem; z-index: 1; display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shade); padding: 1rem; margin-bottom: 1.25rem; }
        #player[hidden] { display: none; }
        .stage { position: relative; border-radius: .6rem; overflow: hidden; background: #000; aspect-ratio: 16/9; }
        video { width: 100%; height: 100%; display: block; }
        .sleeve { display: none; position: absolute; inset: 0 0 3.2rem; place-items: center; pointer-events: none; color: #fff9; font-size: 4rem; }
        .sound .sleeve { display: grid; }
        .sleeve img { display: none; max-width: 100%; height: 100%; min-height: 0; object-fit: contain; }
        .sleeve.pictured img { display: block; }
        .sleeve.pictured span { display: none; }
        .about { display: flex; flex-direction: column; gap: .4rem; min-width: 0; }
        .about h2 { font-size: 1.15rem; line-height: 1.3; overflow-wrap: anywhere; }
        #notice { color: var(--accent); font-size: .875rem; overflow-wrap: anywhere; }
        .switch { display: flex; align-items: center; gap: .6rem; margin: .4rem 0; cursor: pointer; width: fit-content; user-select: none; }
        .switch input { position: absolute; opacity: 0; }
        .switch span { width: 2.4rem; height: 1.4rem; border-radius: 1rem; background: var(--line); padding: .15rem; transition: background .15s; }
        .switch span::before { content: ""; display: block; width: 1.1rem; height: 1.1rem; border-radius: 50%; background: #fff; box-shadow: 0 1px 2px #0004; transition: translate .15s; }
        .switch :checked + span { background: var(--accent); }
        .switch :checked + span::before { translate: 1rem; }
        .switch :focus-visible + span { box-shadow: 0 0 0 3px color-mix(in srgb, var(--accent) 30%, transparent); }
        .switch :disabled + span { opacity: .4; }
        ul { list-style: none; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shade); overflow: hidden; }
        ul:empty { display: none; }
        li + li { border-top: 1px solid var(--line); }
        .item { display: grid; grid-template-columns: 3rem minmax(0, 1fr) auto 4rem; align-items: center; gap: .9rem; padding: .6rem 1rem .6rem .6rem; border: 1px solid transparent; }
        .item:hover { background: color-mix(in srgb, var(--accent) 6%, transparent); }
        .playing .item { background: color-mix(in srgb, var(--accent) 11%, transparent); }
        .playing b { color: var(--accent); }
        .tile { width: 3rem; height: 3rem; border-radius: .55rem; background: var(--chip); display: grid; place-items: center; color: var(--quiet); font-size: 1.1rem; overflow: hidden; }
        .tile img { width: 100%; height: 100%; object-fit: cover; }
        .text b, .text small { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .text b { font-weight: 600; }
        .text small { color: var(--quiet); font-size: .82rem; }
        .text .problem { color: var(--accent); white-space: normal; }
        .failed .tile, .failed b { opacity: .55; }
        .chips { display: flex; gap: .35rem; flex-wrap: wrap; justify-content: flex-end; }
        .chips i { font-style: normal; font-size: .75rem; color: var(--quiet); background: var(--chip); border-radius: .45rem; padding: .12rem .5rem; white-space: nowrap; }
        .time { text-align: right; color: var(--quiet); font-variant-numeric: tabular-nums; font-size: .875rem; }
        .pending .time { animation: breathe 1.4s infinite alternate; }
        @keyframes breathe { to { opacity: .25; } }
        @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
        .empty, .crumbs, nav { color: var(--quiet); padding: 1rem .25rem; }
        .crumbs a { color: var(--accent); }
        .empty { text-align: center; padding: 3rem 1rem; }
        nav { display: flex; justify-content: center; gap: 1.5rem; }
        nav a { color: var(--accent); font-weight: 600; }
        @media (max-width: 46rem) {
          #player { grid-template-columns: 1fr; top: 0; gap: .75rem; padding: .75rem; }
          .item { grid-template-columns: 3rem minmax(0, 1fr) auto; }
          .chips { grid-column: 2 / -1; justify-content: flex-start; margin-top: -.5rem; }
          .chips:empty { display: none; }
          .time { grid-column: 3; grid-row: 1; }
        }

        """#
}
