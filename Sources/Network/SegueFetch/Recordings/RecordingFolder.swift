internal import Foundation

/// A recording on disk: `recording.jsonl` with one exchange per line, and the folder `bodies`.
package struct RecordingFolder: Sendable {
    static let lines = "recording.jsonl"
    static let bodies = "bodies"
    /// The maximum size of `recording.jsonl`.
    private static let mostBytes = 256 << 20

    private let folder: URL

    package let recording: Recording

    /// Returns whether a folder contains a recording.
    package static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: URL(fileURLWithPath: path).appendingPathComponent(lines).path)
    }

    /// Reads a recording; bodies are read on demand.
    ///
    /// - Throws: ``RecordingError``.
    package init(_ path: String) throws(RecordingError) {
        folder = URL(fileURLWithPath: path)
        let file = folder.appendingPathComponent(Self.lines)
        let data = try RecordingFolder.contents(of: file, limit: Self.mostBytes)
        let decoder = JSONDecoder()
        var exchanges: [RecordedExchange] = []
        for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            do {
                exchanges.append(try decoder.decode(RecordedExchange.self, from: Data(line)))
            } catch {
                throw RecordingError.badLine(path: file.path, line: index + 1, reason: "\(error)")
            }
        }
        recording = Recording(exchanges)
    }

    /// Reads the body of an exchange; nil if its file is missing or outside of the folder.
    package func body(of exchange: RecordedExchange) -> [UInt8]? {
        guard let name = exchange.body else { return [] }
        guard !name.contains("/"), !name.hasPrefix(".") else { return nil }
        let file = folder.appendingPathComponent(Self.bodies).appendingPathComponent(name)
        return (try? Data(contentsOf: file)).map(Array.init)
    }

    static func contents(of file: URL, limit: Int) throws(RecordingError) -> Data {
        do {
            let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            guard size <= limit else { throw RecordingError.tooLarge(path: file.path, bytes: size) }
            return try Data(contentsOf: file)
        } catch let error as RecordingError {
            throw error
        } catch {
            throw RecordingError.unreadable(path: file.path, reason: error.localizedDescription)
        }
    }
}
