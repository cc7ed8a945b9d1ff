import HTTPTypes
import SegueOrigin

/// The translations of error sentences by the tag of their language, from `Web/words/errors/TAG.json`.
///
/// English is the language of the program, and has no file.
package struct ErrorWords: Sendable {
    static let none = ErrorWords(languages: [:])

    /// The translations by key (see ``ErrorSentence``).
    let languages: [String: [String: String]]

    /// Returns an error response in the client's preferred language, and any other response unchanged.
    ///
    /// As on the page, the language that a person has chosen there counts first, and English is the default.
    func translated(_ response: OriginResponse, for headers: HTTPFields) -> OriginResponse {
        guard response.hasSentence, !languages.isEmpty else { return response }
        let visit = PageVisit(acceptedLanguages: headers[.acceptLanguage], cookies: headers[.cookie])
        let tag = LanguageChoice.best(for: visit, of: languages.keys.sorted() + ["en"])
        guard let translations = languages[tag] else { return response }
        return response.translated(into: tag, translations)
    }
}
