import HTTPTypes

extension OriginResponse {
    /// True if the response contains a sentence about a failure, which can be translated.
    package var hasSentence: Bool { failure != nil }

    /// Returns an error response with its sentence translated, and any other response unchanged.
    ///
    /// - Parameters:
    ///   - language: The tag of the language.
    ///   - translations: The translations of sentences by key (see ``ErrorSentence``).
    package func translated(into language: String, _ translations: [String: String]) -> OriginResponse {
        guard let failure else { return self }
        var response = self
        let bytes = failure.body(in: translations)
        response.headers[.contentLength] = "\(bytes.count)"
        response.headers[.contentLanguage] = language
        // A response to HEAD has no body.
        if case .bytes = body { response.body = .bytes(bytes) }
        return response
    }
}
