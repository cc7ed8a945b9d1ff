/// The web page: HTML as a mustache template, which escapes every value that it is given.
enum PageTemplate {
    /// The page; style and script are put in as they are.
    static let text = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Segue</title>
        <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23e0533d'/%3E%3Cpath d='M5 4l7 4-7 4z' fill='white'/%3E%3C/svg%3E">
        <style>{{{style}}}</style>
        </head>
        <body>
        <header>
          <a class="brand" href="/"><svg viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="4"/><path d="M5 4l7 4-7 4z"/></svg>Segue</a>
          <form role="search" action="/"><input type="search" name="q" value="{{q}}" placeholder="Search {{libraryCount}} titles" aria-label="Search" autocomplete="off"></form>
          {{#address}}<p class="address" title="Type this on a phone or TV in the same network">On a phone <code>{{.}}</code></p>{{/address}}
        </header>
        <section id="player" hidden aria-label="Player">
          <div class="stage"><video id="video" controls playsinline></video><div class="sleeve"><img id="sleeve" alt=""><span id="glyph">♪</span></div></div>
          <div class="about">
            <h2 id="now"></h2>
            <p id="sub" class="quiet"></p>
            <label class="switch"><input type="checkbox" id="audio-only" role="switch"><span></span>Sound only</label>
            <p id="sent" class="quiet"></p>
            <p id="notice" role="status"></p>
          </div>
        </section>
        <main id="list" data-pending="{{pending}}">
          {{#folder}}<p class="crumbs"><a href="/">All</a> / {{.}}</p>{{/folder}}
          <ul>
          {{#items}}
            <li class="{{kind}}{{#failed}} failed{{/failed}}{{#isPending}} pending{{/isPending}}">
              <a class="item" href="{{href}}" data-id="{{id}}" data-title="{{title}}" data-sub="{{subtitle}}" data-play="{{play}}" data-background="{{background}}" data-original="{{original}}" data-artwork="{{artwork}}">
                <span class="tile">{{#artwork}}<img src="{{.}}" alt="" loading="lazy">{{/artwork}}{{^artwork}}{{glyph}}{{/artwork}}</span>
                <span class="text"><b>{{title}}</b>{{#subtitle}}<small>{{.}}</small>{{/subtitle}}{{#problem}}<small class="problem">{{.}}</small>{{/problem}}</span>
                <span class="chips">{{#chips}}<i>{{.}}</i>{{/chips}}</span>
                <span class="time">{{time}}</span>
              </a>
            </li>
          {{/items}}
          </ul>
          {{#empty}}<p class="empty">{{.}}</p>{{/empty}}
          {{#hasPages}}<nav>{{#previous}}<a href="{{.}}">Previous</a>{{/previous}}<span>{{range}}</span>{{#next}}<a href="{{.}}">Next</a>{{/next}}</nav>{{/hasPages}}
        </main>
        <noscript><p class="empty">Without scripts each title opens its playlist, for a player that knows HLS.</p></noscript>
        <script>{{{script}}}</script>
        </body>
        </html>

        """#
}
