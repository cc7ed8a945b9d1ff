import Foundation
import Media

/// The page to log in with; it works without scripts, and is the same for every address.
///
/// Its form is sent to the address that was asked for, so that is where one comes out.
struct LoginPage: Sendable {
    /// What came of the last try.
    enum News: Sendable, Equatable {
        case wrong
        case wait(seconds: Int)
        case busy
    }

    /// What came of the last try; nil before the first.
    var news: News?
    /// What `Accept-Language` says.
    var languages: String?

    /// The page in HTML; nothing in it is from a request.
    var html: String {
        let words = Self.isGerman(languages) ? Words.german : .english
        return """
            <!doctype html>
            <html lang="\(words.language)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Segue</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            <h1><svg viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="4"/><path d="M5 4l7 4-7 4z"/></svg>Segue</h1>
            \(news.map { "<p role=\"alert\">\(words.text($0))</p>" } ?? "<p>\(words.welcome)</p>")
            <form method="post" action="?login">
            <label for="name">\(words.name)</label>
            <input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" autofocus>
            <label for="password">\(words.password)</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required>
            <button>\(words.button)</button>
            </form>
            <p class="hint">\(words.hint)</p>
            </main>
            </body>
            </html>

            """
    }

    /// What the page may do: show itself, in no frame, and send its form here.
    static let securityPolicy =
        "default-src 'none'; style-src '\(styleHash)'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private static var styleHash: String {
        let digits = Array(Checksum.sha256(Array(style.utf8)).utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        return "sha256-\(Data(bytes).base64EncodedString())"
    }

    /// Whether German is asked for before English.
    private static func isGerman(_ languages: String?) -> Bool {
        let wanted = (languages ?? "").lowercased().split(separator: ",").map { $0.drop { $0 == " " } }
        return wanted.first { $0.hasPrefix("de") || $0.hasPrefix("en") }?.hasPrefix("de") ?? false
    }

    private static let style = """
        :root{--paper:#faf9f7;--card:#fff;--ink:#1d1c1a;--quiet:#6b665f;--line:#b9b2a8;--accent:#c23b24;--on:#fff}
        @media(prefers-color-scheme:dark){:root{--paper:#161514;--card:#211f1d;--ink:#f1eeea;--quiet:#a79f95;\
        --line:#5a544d;--accent:#ff7a5f;--on:#1d1c1a}}
        *{box-sizing:border-box;margin:0}
        body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,\
        "Noto Sans",sans-serif;min-height:100vh;display:grid;place-items:center;padding:1rem}
        main{width:min(100%,23rem);background:var(--card);border-radius:1rem;padding:2rem;\
        box-shadow:0 1px 2px #0000000d,0 6px 24px #0000000f}
        h1{display:flex;align-items:center;gap:.6rem;font-size:1.4rem;letter-spacing:-.02em;margin-bottom:.75rem}
        svg{width:1.8rem}rect{fill:var(--accent)}path{fill:var(--on)}
        p{color:var(--quiet)}[role=alert]{color:var(--accent);font-weight:600}
        label{display:block;font-weight:600;margin:1rem 0 .3rem}
        input,button{width:100%;font:inherit;border-radius:.6rem;padding:.65rem .8rem;border:1px solid var(--line)}
        input{color:inherit;background:var(--paper)}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        button{margin-top:1.5rem;background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:700;\
        cursor:pointer}
        .hint{font-size:.875rem;margin-top:1.25rem}
        """

    private struct Words: Sendable {
        var language, welcome, name, password, button, hint, wrong, wait, busy: String

        func text(_ news: News) -> String {
            switch news {
            case .wrong: wrong
            case .wait(let seconds): wait.replacing("#", with: "\(seconds)")
            case .busy: busy
            }
        }

        static let english = Words(
            language: "en",
            welcome: "Log in to see what is here.",
            name: "Name",
            password: "Password or key",
            button: "Log in",
            hint: "With a key, the name may stay empty. Whoever runs this server gives both out.",
            wrong: "This name and password do not go together.",
            wait: "Too many tries; wait # seconds.",
            busy: "Too many people log in at once; try again in a moment."
        )

        static let german = Words(
            language: "de",
            welcome: "Melde dich an, um zu sehen, was es hier gibt.",
            name: "Name",
            password: "Passwort oder Schlüssel",
            button: "Anmelden",
            hint: "Mit einem Schlüssel darf der Name leer bleiben. Beides gibt dir, wer diesen Server betreibt.",
            wrong: "Dieser Name und dieses Passwort gehören nicht zusammen.",
            wait: "Zu viele Versuche; warte # Sekunden.",
            busy: "Zu viele melden sich gleichzeitig an; versuche es gleich noch einmal."
        )
    }
}
