/// The page on which links can be watched and changed: one document, which loads nothing from elsewhere.
enum ControlPage {
    /// The page in HTML.
    static let bytes = Array(
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Segue link</title><style>\(ControlStyle.text)</style></head>
        <body><header><h1>Segue link</h1><span id="state" role="status"></span>
        <button id="reset">Reset all</button></header>
        <main id="links"></main>
        <template id="card"><section class="card">
          <div class="head"><h2></h2><span class="about"></span><span class="routes"></span></div>
          <div class="charts">
            <figure><figcaption>Throughput <b class="now throughput"></b></figcaption><canvas class="c-throughput"></canvas></figure>
            <figure><figcaption>Time in the queue <b class="now wait"></b></figcaption><canvas class="c-wait"></canvas></figure>
            <figure><figcaption>In the queue <b class="now queue"></b></figcaption><canvas class="c-queue"></canvas></figure>
          </div>
          <p class="key"><i class="down"></i> to the client <i class="up"></i> to the server <span class="facts"></span></p>
          <div class="row"><span>Network</span><div class="networks"></div>
            <select aria-label="Another network"></select><button class="cut">Break connections off</button></div>
          <div class="row"><span>Faults</span><div class="faults"></div></div>
          <ul class="active"></ul>
        </section></template>
        <script>\(ControlScript.text)</script></body></html>

        """.utf8
    )

    /// What the page may do: run what is in it, and ask this server.
    static let securityPolicy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
