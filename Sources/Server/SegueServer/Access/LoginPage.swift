import HTTPTypes
import SegueOrigin
import SegueWeb

/// The login page, which works without scripts and is the same for every address.
///
/// Its form is sent to the requested address, where the login then leads. The page contains nothing of the request
/// except the choice of language.
struct LoginPage: Sendable {
    /// The outcome of the last login.
    enum News: Sendable, Equatable {
        case wrong
        case wait(seconds: Int)
        case busy

        func text(_ words: PageWords) -> String {
            switch self {
            case .wrong: words.text("loginWrong")
            case .wait(let seconds): words.text("loginWait", count: seconds)
            case .busy: words.text("loginBusy")
            }
        }
    }

    static let template = "login.html"

    private let template: PageTemplate
    private let languages: [String: PageWords]
    /// The page's policy: its own style, no frames, and a form for this server.
    private let securityPolicy: String

    /// - Throws: ``PageFailure`` if a file of the page is missing or malformed.
    init(_ files: PageFiles) throws(PageFailure) {
        template = try files.template(Self.template)
        languages = files.languages
        securityPolicy =
            "default-src 'none'; style-src \(template.styleSources); form-action 'self'; base-uri 'none'; "
            + "frame-ancestors 'none'"
    }

    /// Returns the page as a response, in the language that the address or the form names, or the browser's.
    func respond(
        to request: OriginRequest,
        in wish: String?,
        status: Int,
        _ news: News? = nil,
        headers: HTTPFields = [:]
    ) -> OriginResponse {
        let visit = PageVisit(
            language: wish,
            acceptedLanguages: request.headers[.acceptLanguage],
            cookies: request.headers[.cookie]
        )
        let language = LanguageChoice.best(for: visit, of: languages.keys.sorted())
        let words = languages[language] ?? PageWords(texts: [:])
        var model: [String: Any] = ["language": language, "words": words.texts]
        model["news"] = news?.text(words)
        model["wish"] = wish?.lowercased() == language.lowercased() ? language : nil
        let body = Array(template.page(model).utf8)
        // Without any referrer, a browser would also omit the origin of the form.
        return OriginResponse(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentLength: "\(body.count)",
                .contentSecurityPolicy: securityPolicy, .xContentTypeOptions: "nosniff",
                .referrerPolicy: "same-origin", .cacheControl: "no-store",
            ] + headers,
            body: .bytes(body)
        )
    }
}
