internal import Foundation
internal import SegueByteCoding
internal import SegueFFmpeg
internal import SeguePackager

/// The stored facts about one file.
///
/// They are valid for the file's bytes, the program that found them, and the device named to the server.
struct FileMemory {
    /// The dependencies of a fact besides the file's bytes.
    enum Scope: String {
        /// None: it applies to any copy.
        case bytes
        /// The file's path and identity, which occur in the server's URLs.
        case place
    }

    /// A fact with its date.
    struct Found<Value> {
        let value: Value
        /// Seconds since 1970.
        let date: Double
    }

    private struct Entry<Value: Codable>: Codable {
        var value: Value
        /// The date in seconds since 1970.
        var date: Double
        /// The libraries that were loaded after the start, with their checksums.
        var libraries: [String: String]
        /// The file's place if words of the fact contain it; nil otherwise.
        var place: String?
    }

    private let before: VerificationCache
    private let program: RunningProgram
    private let path: String
    private let stamp: FileStamp
    private let checksum: String
    private let key: String
    private let place: String
    private let names: [String]
    /// Called while the file is read.
    private let reading: () -> Void

    /// `path` is the path for reading.
    ///
    /// `settings` are the device named to the server, and the name under which the file is served. `names` are the words
    /// that may name the file. `progress` is called while the file is read. Returns nil if the file cannot be read.
    init?(
        ofFileAt path: String,
        settings: (device: String, id: String),
        names: [String],
        program: RunningProgram,
        before: VerificationCache,
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

    /// A stored fact; nil if it is missing, or not valid for this file or program.
    func recall<Value: Codable>(_ type: Value.Type, _ what: String, of scope: Scope) -> Found<Value>? {
        guard let entry = before.value(Entry<Value>.self, of: key(what, scope)) else { return nil }
        guard entry.place == nil || entry.place == place else { return nil }
        for (path, sum) in entry.libraries where before.checksum(ofFileAt: path) != sum { return nil }
        return Found(value: entry.value, date: entry.date)
    }

    /// Stores a fact unless the file was modified meanwhile.
    ///
    /// `words` are words of the fact that may name the file, which make it depend on its place. `isDoubtful` decides
    /// whether a temporary read error may be the cause. Then all bytes are read again before it is stored.
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
