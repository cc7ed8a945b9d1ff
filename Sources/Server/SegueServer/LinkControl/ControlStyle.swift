/// The look of the page.
enum ControlStyle {
    static let text = """
        :root { --ink: #1c2430; --soft: #5d6b7c; --line: #d9e0e8; --paper: #f4f6f9; --card: #fff; --down: #1668c7;
          --up: #d9720f; --on: #1668c7; color-scheme: light dark; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e7ecf2; --soft: #98a6b7; --line: #323d4a;
          --paper: #12171d; --card: #1b222b; --down: #5aa5f5; --up: #f2a154; --on: #2f7fd6; } }
        * { box-sizing: border-box; }
        body { margin: 0; font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper); }
        header { display: flex; align-items: center; gap: 16px; padding: 14px 24px; }
        h1 { font-size: 19px; margin: 0; } #state { color: var(--soft); flex: 1; }
        main { padding: 0 24px 24px; display: grid; gap: 18px; }
        .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px 12px; }
        .head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; margin-bottom: 10px; }
        h2 { font-size: 17px; margin: 0; } .about { flex: 1; min-width: 200px; }
        .about, .routes { color: var(--soft); }
        .routes { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(270px, 1fr)); gap: 18px; }
        figure { margin: 0; } figcaption { display: flex; justify-content: space-between; color: var(--soft); font-size: 13px; }
        figcaption b { color: var(--ink); font-variant-numeric: tabular-nums; }
        canvas { width: 100%; height: 130px; display: block; margin-top: 4px; }
        .key { color: var(--soft); font-size: 13px; margin: 8px 0 12px; } .key i { display: inline-block; width: 12px;
          height: 3px; border-radius: 2px; vertical-align: middle; margin-left: 10px; } .key i:first-child { margin-left: 0; }
        i.down { background: var(--down); } i.up { background: var(--up); } .facts { margin-left: 18px; }
        .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 8px 0; }
        .row > span { width: 66px; color: var(--soft); } .row > div { display: flex; flex-wrap: wrap; gap: 6px; }
        button, select { font: inherit; font-size: 14px; color: inherit; background: transparent; padding: 4px 11px;
          border: 1px solid var(--line); border-radius: 7px; cursor: pointer; }
        select { background: var(--card); } button:hover, select:hover { border-color: var(--on); }
        button.on { background: var(--on); border-color: var(--on); color: #fff; } .cut { margin-left: auto; }
        .active { list-style: none; padding: 0; margin: 4px 0 0 74px; font-size: 13px; color: var(--soft); }
        .active button { font-size: 12px; padding: 0 7px; margin-left: 8px; }
        """
}
