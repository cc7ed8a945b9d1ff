import Foundation
import Mustache
import SegueFFmpeg
import SegueOrigin

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

    /// The files of the template and the style.
    static let (template, style) = ("login.html", "login.css")

    private let template: MustacheTemplate
    private let style: String
    private let languages: [String: PageWords]
    /// The content security policy: its own style, no frames, forms to this server only.
    private let securityPolicy: String

    /// - Throws: ``PageFiles/Failure`` if the template is missing or malformed.
    init(_ files: PageFiles) throws(PageFiles.Failure) {
        let text = files.text(Self.template)
        guard !text.isEmpty else { throw PageFiles.Failure(description: "\(Self.template): the file is missing") }
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

    /// The response with the page.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - wish: The language requested by the address or the form; nil for none.
    ///   - status: The status of the response.
    ///   - news: The outcome of the last login; nil before the first.
    ///   - headers: Additional header fields.
    /// - Returns: The response.
    func respond(
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
        // Without any referrer a browser would not send the origin of the form either.
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

    /// The hash that allows a style in the policy (Content Security Policy 3, section 2.3.1).
    private static func hash(of style: String) -> String {
        let digits = Array(Checksum.sha256(Array(style.utf8)).utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        return "sha256-\(Data(bytes).base64EncodedString())"
    }
}
