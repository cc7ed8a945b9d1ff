internal import Foundation
internal import SegueByteCoding
internal import SegueFFmpeg
internal import SeguePackager

/// What was found out about one file before, and is kept for the next time.
///
/// It belongs to the file's bytes, to the program that found it out, and to the device that the server was told of.
struct FileMemory {
    /// What something that was found out depends on besides the file's bytes.
    enum Scope: String {
        /// Nothing: it is true of any copy.
        case bytes
        /// The file's path and identity, which stand in the server's URLs.
        case place
    }

    /// Something that was found out, and when.
    struct Found<Value> {
        let value: Value
        /// In seconds since 1970.
        let date: Double
    }

    private struct Entry<Value: Codable>: Codable {
        var value: Value
        /// When it was found out, in seconds since 1970.
        var date: Double
        /// The libraries that had been loaded by then besides those of the start, with their checksums.
        var libraries: [String: String]
        /// The place of the file where words of it name that; nil where none do.
        var place: String?
    }

    private let before: VerifiedBefore
    private let program: RunningProgram
    private let path: String
    private let stamp: FileStamp
    private let checksum: String
    private let key: String
    private let place: String
    private let names: [String]
    /// Called while the file is read.
    private let reading: () -> Void

    /// What is known of a file; nil where its bytes cannot be read.
    ///
    /// - Parameters:
    ///   - path: The path that it is read by.
    ///   - settings: What the server was told of the device, and under what name the file is served.
    ///   - names: By what words may name the file.
    ///   - progress: Is told while the file is read.
    init?(
        ofFileAt path: String,
        settings: (device: String, id: String),
        names: [String],
        program: RunningProgram,
        before: VerifiedBefore,
        progress: FileProgress
    ) {
        reading = { progress.reached("reading the file") }
        guard let stamp = FileStamp(ofFileAt: path), let identity = try? FileIdentity(ofFileAt: path),
            let checksum = before.checksum(ofFileAt: path, progress: reading)
        else { return nil }
        (self.before, self.program, self.path, self.stamp, self.checksum) = (before, program, path, stamp, checksum)
        place = "\(identity.tag) \(settings.id) \(path)"
        key = "\(program.checksum) \(settings.device) \(checksum)"
        self.names = (names + [path, settings.id, identity.tag]).filter { !$0.isEmpty }
    }

    /// Something that was found out; nil where nobody has, or it is not true of this file or this program.
    func recall<Value: Codable>(_ type: Value.Type, _ what: String, of scope: Scope) -> Found<Value>? {
        guard let entry = before.value(Entry<Value>.self, of: key(what, scope)) else { return nil }
        guard entry.place == nil || entry.place == place else { return nil }
        for (path, sum) in entry.libraries where before.checksum(ofFileAt: path) != sum { return nil }
        return Found(value: entry.value, date: entry.date)
    }

    /// Keeps something that was found out, unless the file was written to meanwhile.
    ///
    /// - Parameters:
    ///   - words: Words in it that may name the file, which then make it depend on its place.
    ///   - isDoubtful: Whether a disk that could not be read for a moment may be to blame. Then all bytes are read once
    ///     more before it is kept.
    func keep(
        _ value: some Codable,
        as what: String,
        of scope: Scope,
        words: [String] = [],
        isDoubtful: Bool = false
    ) {
        guard FileStamp(ofFileAt: path) == stamp, let libraries = program.loadedSince(before) else { return }
        if isDoubtful, (try? LongChecksum.ofFile(at: path, reading)) != checksum { return }
        let isNamed = words.contains { text in names.contains { text.contains($0) } }
        let now = Date().timeIntervalSince1970
        let entry = Entry(value: value, date: now, libraries: libraries, place: isNamed ? place : nil)
        before.keep(entry, as: key(what, scope))
    }

    private func key(_ what: String, _ scope: Scope) -> String {
        scope == .bytes ? "\(key) \(what)" : "\(key) \(what) \(Checksum.sha256(Array(place.utf8)))"
    }
}
