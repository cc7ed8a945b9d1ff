internal import Foundation
internal import SegueBase

/// An HTTP archive (HAR 1.2), as browsers and proxies save it.
package struct HARFile: Sendable {
    private struct Document: Decodable {
        struct Log: Decodable { let entries: [Entry] }
        let log: Log
    }

    private struct Entry: Decodable {
        struct Request: Decodable {
            let method: String
            let url: String
        }
        struct Content: Decodable {
            let text: String?
            let encoding: String?
        }
        struct Response: Decodable {
            let status: Int
            let headers: [RecordedExchange.Field]?
            let content: Content?
        }
        let startedDateTime: String
        let request: Request
        let response: Response
    }

    /// The maximum size of a file.
    private static let mostBytes = 512 << 20

    package let recording: Recording

    private let bodies: [[UInt8]]

    /// Reads an archive.
    ///
    /// Exchanges with other methods than GET and HEAD are skipped, as are responses without their bodies.
    ///
    /// - Throws: ``RecordingError``.
    package init(_ path: String) throws(RecordingError) {
        let data = try RecordingFolder.contents(of: URL(fileURLWithPath: path), limit: Self.mostBytes)
        let entries: [Entry]
        do {
            entries = try JSONDecoder().decode(Document.self, from: data).log.entries
        } catch {
            throw RecordingError.unreadable(path: path, reason: "\(error)")
        }
        let dated = entries.map { ($0, HARFile.seconds($0.startedDateTime)) }
        let first = dated.compactMap(\.1).min() ?? 0
        var exchanges: [RecordedExchange] = [], bodies: [[UInt8]] = []
        for (entry, at) in dated {
            guard let exchange = HARFile.exchange(entry, at: max(0, (at ?? first) - first)) else { continue }
            guard let body = HARFile.body(of: entry) else { continue }
            var kept = exchange
            (kept.body, kept.bytes) = ("\(bodies.count)", body.count)
            bodies.append(body)
            exchanges.append(kept)
        }
        guard !exchanges.isEmpty else { throw RecordingError.noBodies(path: path) }
        recording = Recording(exchanges)
        self.bodies = bodies
    }

    /// Returns the body of an exchange of this archive.
    package func body(of exchange: RecordedExchange) -> [UInt8]? {
        guard let name = exchange.body, let index = Int(name), bodies.indices.contains(index) else { return nil }
        return bodies[index]
    }

    private static func exchange(_ entry: Entry, at seconds: Double) -> RecordedExchange? {
        let (request, response) = (entry.request, entry.response)
        guard ["GET", "HEAD"].contains(request.method), (100...599).contains(response.status) else { return nil }
        let headers = response.headers ?? []
        var exchange = RecordedExchange(
            at: seconds,
            method: request.method,
            url: request.url,
            status: response.status,
            headers: headers
        )
        if response.status == 206 {
            // A partial response without its range is unusable.
            guard let span = span(headers) else { return nil }
            // Browsers request the whole resource as an open range.
            if span.isWhole { exchange.status = 200 } else { exchange.range = span.part }
        }
        return exchange
    }

    /// The body; nil if the archive lacks it.
    private static func body(of entry: Entry) -> [UInt8]? {
        guard let content = entry.response.content, let text = content.text else {
            return entry.request.method == "HEAD" || ![200, 206].contains(entry.response.status) ? [] : nil
        }
        guard content.encoding == "base64" else { return Array(text.utf8) }
        return Data(base64Encoded: text).map(Array.init)
    }

    /// The range of a partial response, and whether it is the whole resource, from `Content-Range`.
    private static func span(_ headers: [RecordedExchange.Field]) -> (part: RecordedExchange.Span, isWhole: Bool)? {
        guard let value = headers.first(where: { $0.name.lowercased() == "content-range" })?.value,
            value.hasPrefix("bytes ")
        else { return nil }
        let words = value.dropFirst(6).split(separator: "/")
        let ends = (words.first ?? "").split(separator: "-")
        guard words.count == 2, ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0,
            last >= first, last < .max
        else { return nil }
        let part = RecordedExchange.Span(offset: first, length: last - first + 1)
        return (part, first == 0 && Int64(words[1]) == last + 1)
    }

    private static func seconds(_ date: String) -> Double? {
        ISO8601Time(date)?.secondsSince1970
    }
}
