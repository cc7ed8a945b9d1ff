internal import Foundation

/// Writes a recording to a folder, one exchange at a time.
///
/// A body that equals the previous one of its URL is written once, which keeps the playlists of a live stream small.
package final class RecordingWriter {
    private let path: String
    private let folder: URL
    private let lines: FileHandle
    private let encoder = JSONEncoder()
    private var count = 0
    /// The latest body of each URL.
    private var last: [String: (name: String, bytes: Int)] = [:]
    /// The maximum number of URLs with a remembered body.
    private static let mostAddresses = 10_000

    /// Creates the folder, or replaces an earlier recording in it.
    ///
    /// - Throws: ``RecordingError`` if it cannot be written.
    package init(_ path: String) throws(RecordingError) {
        self.path = path
        folder = URL(fileURLWithPath: path)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let files = FileManager.default
        do {
            let bodies = folder.appendingPathComponent(RecordingFolder.bodies)
            try files.createDirectory(at: bodies, withIntermediateDirectories: true)
            let part = RecordingWriter.part(in: folder)
            try Data().write(to: part)
            lines = try FileHandle(forWritingTo: part)
        } catch {
            throw RecordingError.unwritable(path: path, reason: error.localizedDescription)
        }
    }

    private static func part(in folder: URL) -> URL { folder.appendingPathComponent(RecordingFolder.lines + ".part") }

    /// Adds an exchange with its body.
    ///
    /// - Parameters:
    ///   - exchange: The exchange; its fields about the body are overwritten.
    /// - Throws: ``RecordingError`` if it cannot be written.
    package func add(_ exchange: RecordedExchange, body: [UInt8]) throws(RecordingError) {
        var exchange = exchange
        (exchange.body, exchange.bytes) = (nil, body.count)
        do {
            if !body.isEmpty { exchange.body = try name(of: body, for: exchange) }
            try lines.write(contentsOf: try encoder.encode(exchange) + Data([UInt8(ascii: "\n")]))
        } catch {
            throw RecordingError.unwritable(path: path, reason: error.localizedDescription)
        }
    }

    /// Returns the file of a body, writing it unless the URL had the same body before.
    private func name(of body: [UInt8], for exchange: RecordedExchange) throws -> String {
        let bodies = folder.appendingPathComponent(RecordingFolder.bodies)
        if let last = last[exchange.url], last.bytes == body.count,
            try Data(contentsOf: bodies.appendingPathComponent(last.name)).elementsEqual(body)
        {
            return last.name
        }
        count += 1
        let name = String(format: "%06d", count) + RecordingWriter.suffix(of: exchange.url)
        try Data(body).write(to: bodies.appendingPathComponent(name))
        if last.count >= Self.mostAddresses { last = [:] }
        last[exchange.url] = (name, body.count)
        return name
    }

    /// Completes the recording; a new folder contains none until then.
    ///
    /// - Throws: ``RecordingError`` if it cannot be written.
    package func close() throws(RecordingError) {
        do {
            try lines.close()
            let whole = folder.appendingPathComponent(RecordingFolder.lines)
            try? FileManager.default.removeItem(at: whole)
            try FileManager.default.moveItem(at: RecordingWriter.part(in: folder), to: whole)
        } catch {
            throw RecordingError.unwritable(path: path, reason: error.localizedDescription)
        }
    }

    /// The file extension of a URL, for people who look into the folder.
    private static func suffix(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let dot = path.lastIndex(of: "."), let slash = path.lastIndex(of: "/"), dot > slash else { return "" }
        let suffix = path[dot...]
        let isPlain = suffix.count <= 6 && suffix.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isPlain ? suffix.lowercased() : ""
    }
}
