internal import SegueFetch

/// The properties of a file, according to the response heads.
struct ServedFile: Sendable {
    /// The size of the file, if known.
    private(set) var length: Int64?

    /// True if the server supports ranges; nil before that is known.
    private(set) var takesRanges: Bool?

    /// The validator of this version for `If-Range`, if there is one.
    private(set) var validator: String?

    private(set) var isAnswered = false

    /// Handles the head of a good response.
    ///
    /// - Parameters:
    ///   - response: The head, with status 200 or 206.
    ///   - offset: The start of the requested part; nil for the whole.
    /// - Returns: The offset of the body.
    /// - Throws: ``PlaybackError`` if the response contradicts earlier ones, or the request.
    mutating func receive(_ response: FetchResponse, askedFrom offset: Int64?) throws(PlaybackError) -> Int64 {
        let tag = response.header("etag").flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? response.header("last-modified")
        if isAnswered, let validator, let tag, tag != validator {
            throw PlaybackError(
                .network,
                code: -1011,
                "the file changed on the server during playback: \(response.url)"
            )
        }
        let start: Int64
        if response.status == 206, let offset {
            let range = try contentRange(of: response)
            guard range.start == offset else {
                throw PlaybackError(
                    .network,
                    code: -1011,
                    "the response starts at byte \(range.start), but byte \(offset) was requested: \(response.url)"
                )
            }
            try learn(range.total, from: response)
            takesRanges = true
            start = offset
        } else {
            if offset != nil { takesRanges = false }
            // The length of an encoded body differs from that of the file.
            let isCoded = response.header("content-encoding").map { $0.lowercased() != "identity" } ?? false
            if isCoded {
                takesRanges = false
            } else {
                try learn(
                    response.header("content-length").flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 },
                    from: response
                )
            }
            let word = response.header("accept-ranges")?.lowercased()
            if takesRanges == nil, let word { takesRanges = word == "bytes" }
            start = 0
        }
        if length == nil { takesRanges = false }
        validator = validator ?? tag
        isAnswered = true
        return start
    }

    /// Sets the size after the complete file has arrived, if it was not announced.
    mutating func end(at length: Int64) { self.length = self.length ?? length }

    private mutating func learn(_ total: Int64?, from response: FetchResponse) throws(PlaybackError) {
        if let length, let total, total != length {
            let message = "the file size changed from \(length) to \(total) bytes: \(response.url)"
            throw PlaybackError(.network, code: -1011, message)
        }
        length = length ?? total
    }

    private func contentRange(of response: FetchResponse) throws(PlaybackError) -> (start: Int64, total: Int64?) {
        let text = response.header("content-range") ?? ""
        let words = text.lowercased().split(separator: " ")
        let parts = words.count == 2 ? words[1].split(separator: "/") : []
        guard words.first == "bytes", parts.count == 2,
            let start = parts[0].split(separator: "-").first.flatMap({ Int64($0) }),
            start >= 0
        else {
            let message = "the partial response has no valid Content-Range (\(text.debugDescription))"
            throw PlaybackError(.network, code: -1011, "\(message): \(response.url)")
        }
        return (start, Int64(parts[1]).flatMap { $0 > 0 ? $0 : nil })
    }
}
