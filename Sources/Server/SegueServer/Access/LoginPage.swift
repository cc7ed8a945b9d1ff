import SegueOrigin
import SegueWeb

/// The page to log in with; it works without scripts, and is the same for every address.
///
/// Its form is sent to the address that was asked for, so that is where one comes out. Nothing in it is from a request
/// but which of its languages was asked for.
struct LoginPage: Sendable {
    /// What came of the last try.
    enum News: Sendable, Equatable {
        case wrong
        case wait(seconds: Int)
        case busy

        /// It in words.
        func text(_ words: PageWords) -> String {
            switch self {
            case .wrong: words.text("loginWrong")
            case .wait(let seconds): words.text("loginWait", count: seconds)
            case .busy: words.text("loginBusy")
            }
        }
    }

    /// Its template among the page's files.
    static let template = "login.html"

    private let template: PageTemplate
    private let languages: [String: PageWords]
    /// What the page may do: show itself, in no frame, and send its form here.
    private let securityPolicy: String

    /// A page that is made of files.
    ///
    /// - Throws: ``PageFailure`` if a file of the page is missing or malformed.
    init(_ files: PageFiles) throws(PageFailure) {
        template = try files.template(Self.template)
        languages = files.languages
        securityPolicy =
            "default-src 'none'; style-src \(template.styleSources); form-action 'self'; base-uri 'none'; "
            + "frame-ancestors 'none'"
    }

    /// The page as an answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - wish: The language that the address or the form asks for; nil where it asks for none.
    ///   - status: The answer's status.
    ///   - news: What came of the last try; nil before the first.
    ///   - headers: Further header fields.
    /// - Returns: The answer.
    func answer(
        to request: OriginRequest,
        in wish: String?,
        status: Int,
        _ news: News? = nil,
        headers: [(name: String, value: String)] = []
    ) -> OriginResponse {
        let visit = PageVisit(
            language: wish,
            acceptedLanguages: request.list("Accept-Language"),
            cookies: request.header("Cookie")
        )
        let language = LanguageChoice.best(for: visit, of: languages.keys.sorted())
        let words = languages[language] ?? PageWords(texts: [:])
        var model: [String: Any] = ["language": language, "words": words.texts]
        model["news"] = news?.text(words)
        model["wish"] = wish?.lowercased() == language.lowercased() ? language : nil
        let body = Array(template.page(model).utf8)
        // With no referrer at all a browser would not say either from which origin the form comes.
        return OriginResponse(
            status: status,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Content-Length", "\(body.count)"),
                ("Content-Security-Policy", securityPolicy), ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "same-origin"), ("Cache-Control", "no-store"),
            ] + headers,
            body: .bytes(body)
        )
    }
}
