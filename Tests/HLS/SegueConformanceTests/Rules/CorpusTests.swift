import Foundation
import SegueBase
import SegueConformance
import Testing

/// Third-party playlists with their known properties, in the folder of `SEGUE_PLAYLISTS`.
enum Corpus {
    struct Entry: Decodable {
        let file: String
        let expected: String
        let clause: String?
        let source: String?
    }

    static let folder = ProcessInfo.processInfo.environment["SEGUE_PLAYLISTS"].map { URL(fileURLWithPath: $0) }

    static func entries(in folder: URL) throws -> [Entry] {
        let text = try String(contentsOf: folder.appending(path: "manifest.jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
    }

    /// The rules that a playlist breaks when it is checked without its segments.
    static func findings(_ bytes: [UInt8]) -> [BrokenRule] {
        let document = PlaylistDocument(url: "file:///playlist.m3u8", bytes: bytes)
        return document.namesVariants
            ? Validator.findings(MultivariantSubject(document: document))
            : Validator.findings(MediaSubject(document: document))
    }

    /// Playlists declared valid that break rules if read literally.
    ///
    /// Most were written for the test of one thing in a parser: `skip-window` is CAN-SKIP-UNTIL below six targets,
    /// `vod-end` a playlist of what does not change without an end, `version-enough` a tag that the version does not
    /// have, `white-space` and `control-characters` a blank in a URI or before a tag, `target-holds` segments longer
    /// than the target, and the others a line that is cut off or garbled.
    static let notValid: [String: Set<String>] = [
        "0341d0ca901cf6f5": ["version-enough"],
        "0604f288d15f743f": ["white-space"],
        "0728ab93b99fe8c0": ["skip-window"],
        "09ade6c1313a533f": ["white-space"],
        "0bd7e5d7c6088d4e": ["key-attributes", "version-enough"],
        "0f1ea6f4e60bcbe5": ["part-inf", "skip-window"],
        "109e8150fba64f85": ["target-holds"],
        "16091441904f32b0": ["version-enough", "vod-end", "white-space"],
        "1c46b9874e010a5c": ["attribute-list", "date-range", "duration-given", "white-space"],
        "2eab2d340b3df735": ["map-attributes"],
        "3a1e9308af7a46da": ["control-characters"],
        "40e693815e0d5001": ["duration-given"],
        "4236daf0c64c3222": ["tag-value", "vod-end"],
        "5f687679f6abce76": ["control-characters", "duration-given", "version-enough"],
        "61254f46570cb257": ["part-inf", "skip-window"],
        "6b97fe47d9b2515e": ["date-time"],
        "6f9d9a0ea108f474": ["session-data-value"],
        "74dae29a4a2884ba": ["version-enough"],
        "86864e74fb258c26": ["vod-end"],
        "87ef2d11aa6f1f6d": ["skip-window"],
        "a2fbe7bb738e0224": ["attribute-list", "duration-given", "part-sum"],
        "a796297c3c448050": ["vod-end"],
        "af9ab8c1478532ca": ["target-holds"],
        "b4282c1cf3da8b32": ["part-inf", "skip-window"],
        "cefd65b23ab1fe74": ["date-range-same", "vod-end"],
        "d6a5073cffdb473e": ["version-enough"],
        "d94abb1fe416d568": ["vod-end"],
        "dbd74ccb93e65a4a": ["version-enough"],
        "dc4feb8948c615c7": ["vod-end"],
        "e01aaf43a9220492": ["vod-end"],
        "e0fcd45cab10992e": ["control-characters", "vod-end"],
        "e8fc5c946f4ff796": ["control-characters", "part-inf", "skip-window", "version-enough"],
        "ede8d19c18496b54": ["attribute-list"],
        "f63c1e205d76dde2": ["skip-window"],
        "fb3dd3c832afd5b6": ["duration-given", "skip-window"],
    ]
}

@Suite(.enabled(if: Corpus.folder != nil, "SEGUE_PLAYLISTS names no folder")) struct `Playlists of others` {
    @Test func `valid playlists have no violations, invalid ones do`() throws {
        let folder = try #require(Corpus.folder)
        var counts: [String: Int] = [:]
        for entry in try Corpus.entries(in: folder) {
            let found = Corpus.findings(Array(try Data(contentsOf: folder.appending(path: entry.file))))
            let musts = found.filter { $0.rule.severity(in: .rfc) == .must }
            counts["\(entry.expected) \(musts.isEmpty ? "clean" : "faulty")", default: 0] += 1
            let name = entry.file.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
            let wrong = musts.filter { Corpus.notValid[name]?.contains($0.rule.id) != true }
            let words = wrong.map { "\($0.rule.id), line \($0.place.line ?? 0): \($0.message)" }
            if entry.expected == "valid" { #expect(wrong.isEmpty, "\(entry.file): \(words.joined(separator: "; "))") }
            if entry.expected == "invalid" { #expect(!musts.isEmpty, "\(entry.file): \(entry.clause ?? "no clause")") }
        }
        print(counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
    }
}
