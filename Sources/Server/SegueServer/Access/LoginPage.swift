import Foundation
import Mustache
import SegueFFmpeg
import SegueOrigin

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

    /// Its template and its looks among the page's files.
    static let (template, style) = ("login.html", "login.css")

    private let template: MustacheTemplate
    private let style: String
    private let languages: [String: PageWords]
    /// What the page may do: show itself, in no frame, and send its form here.
    private let securityPolicy: String

    /// A page that is made of files.
    ///
    /// - Throws: ``PageFiles/Failure`` where the template is missing or malformed.
    init(_ files: PageFiles) throws(PageFiles.Failure) {
        let text = files.text(Self.template)
        guard !text.isEmpty else { throw PageFiles.Failure(description: "\(Self.template): the file is not there") }
        do {
            template = try MustacheTemplate(string: text)
        } catch {
            throw PageFiles.Failure(description: "\(Self.template): \(error)")
        }
        (style, languages) = (files.text(Self.style), files.languages)
        securityPolicy =
            "default-src 'none'; style-src '\(Self.hash(of: style))'; form-action 'self'; base-uri 'none'; "
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
        var model: [String: Any] = ["language": language, "words": words.texts, "style": style]
        model["news"] = news?.text(words)
        model["wish"] = wish?.lowercased() == language.lowercased() ? language : nil
        let body = Array(template.render(model).utf8)
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

    /// The hash by which a policy allows a style in the page (Content Security Policy 3, section 2.3.1).
    private static func hash(of style: String) -> String {
        let digits = Array(Checksum.sha256(Array(style.utf8)).utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        return "sha256-\(Data(bytes).base64EncodedString())"
    }
}
