internal import Foundation
internal import SegueBase
internal import SegueComparison

enum ReportFile {
    private static let block = 1 << 20

    /// Reads a report, one case at a time.
    static func read(_ path: String, _ tell: (RecordedCase) throws -> Void) throws -> RunFacts {
        let decoder = JSONDecoder()
        var pieces = ReportPieces()
        var facts = RunFacts()
        var cases = 0
        do {
            try blocks(of: path) { block in
                try pieces.read(block) { piece in
                    switch piece {
                    case .recordedCase(let bytes):
                        cases += 1
                        try tell(try RecordedCase(json: Data(bytes), decoder, of: path, at: "case \(cases)"))
                    case .member("run", let bytes):
                        facts = (try? decoder.decode(RunFacts.self, from: Data(bytes))) ?? facts
                    case .member("schema", let bytes):
                        let schema = String(decoding: bytes, as: UTF8.self)
                        guard schema == "1" else {
                            throw RunFailure(
                                path,
                                "has report schema \(schema.prefix(20)); this version of segue reads schema 1"
                            )
                        }
                    case .member: break
                    }
                }
            }
            try pieces.finish()
        } catch let failure as ReportPieces.Failure {
            throw RunFailure(path, failure.description)
        }
        return facts
    }

    /// Passes on the bytes of a file, block by block.
    static func blocks(of path: String, _ tell: (Data) throws -> Void) throws {
        let file: FileHandle
        do {
            file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw RunFailure(path, "cannot be read: \(error.localizedDescription)")
        }
        defer { try? file.close() }
        while true {
            let data: Data?
            do {
                data = try file.read(upToCount: block)
            } catch {
                throw RunFailure(path, "cannot be read: \(error.localizedDescription)")
            }
            guard let data, !data.isEmpty else { return }
            try tell(data)
        }
    }
}

/// A run folder: `run.json` with the facts of the run, and `results.jsonl` with one case per line.
enum RunFolder {
    private static let most = 16 << 20

    /// Reads a run folder, one case at a time.
    ///
    /// An incomplete last line is a case that was being written when the run ended.
    static func read(_ path: String, _ tell: (RecordedCase) throws -> Void) throws -> RunFacts {
        let results = path + "/results.jsonl"
        guard FileManager.default.fileExists(atPath: results) else {
            throw RunFailure(path, "is not a run folder: results.jsonl is missing")
        }
        let decoder = JSONDecoder()
        var rest = Data()
        var lines = 0
        try ReportFile.blocks(of: results) { block in
            rest += block
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                lines += 1
                let line = rest[..<end]
                if !line.isEmpty {
                    try tell(try RecordedCase(json: Data(line), decoder, of: results, at: "line \(lines)"))
                }
                rest = rest[rest.index(after: end)...]
            }
            guard rest.count <= most else {
                throw RunFailure(results, "line \(lines + 1) is too long for a case")
            }
            rest = Data(rest)
        }
        return facts(in: path, decoder)
    }

    /// The facts of the run: the member `run` of `run.json`, otherwise those of the header.
    private static func facts(in path: String, _ decoder: JSONDecoder) -> RunFacts {
        struct Header: Decodable {
            let run: RunFacts?
            let date: String?
            let version: String?
            let arguments: [String]?
            let releases: [String: AppRelease]?
        }
        guard let data = FileManager.default.contents(atPath: path + "/run.json"),
            let header = try? decoder.decode(Header.self, from: data)
        else { return RunFacts() }
        if let run = header.run { return run }
        var facts = RunFacts()
        facts.began = header.date.flatMap(UTCTime.init)
        facts.version = header.version
        facts.releases = header.releases ?? [:]
        facts.command = header.arguments.map { CommandWords.line(["segue"] + $0) }
        return facts
    }
}

extension RecordedCase {
    /// Decodes a case.
    ///
    /// - Throws: ``RunFailure`` with the location and the reason.
    init(json: Data, _ decoder: JSONDecoder, of path: String, at place: String) throws {
        do {
            self = try decoder.decode(RecordedCase.self, from: json)
        } catch {
            throw RunFailure(path, "\(place) is not a case: \(Self.reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has the wrong type"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")): \(context.debugDescription)"
        default: "it is not JSON"
        }
    }
}
