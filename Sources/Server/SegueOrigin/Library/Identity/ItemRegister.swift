/// The ids of files, which follow the files when they are renamed or moved.
///
/// A new file takes over the id of a missing one if both have the same content. A file whose content changed keeps the
/// id of its path, unless that content is now at another path under the same inode, as after two files exchanged their
/// names. Copies, and all other new files, get an id derived from their path.
struct ItemRegister: Sendable {
    /// A file of a scan.
    struct File: Sendable {
        var place: ItemRecord.Place
        /// Nil if the file was not reached by this scan, or if only its path identifies it.
        var stamp: ItemRecord.Stamp?
    }

    /// Access to the files, replaced by tests.
    struct Disk {
        var exists: (ItemRecord.Place) -> Bool
        var fingerprint: (ItemRecord.Place) -> ContentFingerprint?
    }

    /// The maximum number of records of missing files; the oldest are evicted.
    static let missingLimit = 100_000

    private(set) var records: [ItemRecord.Place: ItemRecord]
    /// The places whose records changed since the last ``takeChange()``.
    private var touched: Set<ItemRecord.Place> = []

    init(_ records: [ItemRecord] = []) {
        self.records = Dictionary(records.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func id(of place: ItemRecord.Place) -> String? { records[place]?.id }

    /// Updates the records after a scan of some folders; afterwards each file has one.
    ///
    /// - Parameters:
    ///   - files: All files of the scan.
    ///   - roots: The scanned folders.
    ///   - now: The time, in milliseconds since 1970.
    ///   - disk: Access to the files.
    mutating func update(_ files: [File], below roots: Set<[UInt8]>, at now: Int64, disk: Disk) {
        var search = MovedFileSearch(roots: roots, disk: disk)
        var known = 0
        for file in files {
            guard let record = records[file.place] else {
                search.arrived.append(file)
                continue
            }
            known += 1
            if let stamp = file.stamp, stamp != record.stamp { search.displaced[file.place] = file }
            if !record.isPresent { change(file.place, at: now) { $0.isPresent = true } }
        }
        let expected = records.values.count { $0.isPresent && roots.contains($0.place.root) }
        if expected == known, search.arrived.isEmpty, search.displaced.isEmpty { return }
        let here = Set(files.map(\.place))
        let missing = records.values.filter { !here.contains($0.place) }
        for record in missing where record.isPresent && roots.contains(record.place.root) {
            change(record.place, at: now) { $0.isPresent = false }
        }
        search.run(records: records, missing: missing)
        move(search.moves, at: now)
        for file in search.displaced.values {
            change(file.place, at: now) { ($0.stamp, $0.fingerprint) = (file.stamp ?? .unknown, nil) }
        }
        add(search.arrived, at: now)
        evict(except: here)
    }

    /// Returns true if a file's content has not been read and may be.
    func lacksFingerprint(_ place: ItemRecord.Place) -> Bool {
        records[place].map { $0.fingerprint == nil && $0.stamp != .unknown } ?? false
    }

    /// Stores the fingerprint of a file that still has a stamp.
    mutating func note(_ fingerprint: ContentFingerprint, of place: ItemRecord.Place, stamp: ItemRecord.Stamp) {
        guard let record = records[place], record.stamp == stamp, record.fingerprint != fingerprint else { return }
        change(place, at: record.changed) { $0.fingerprint = fingerprint }
    }

    /// Returns and forgets the changes since the last call.
    mutating func takeChange() -> StoredItems.Change {
        defer { touched = [] }
        return StoredItems.Change(
            records: touched.compactMap { records[$0] },
            removed: touched.filter { records[$0] == nil }
        )
    }

    private mutating func change(_ place: ItemRecord.Place, at now: Int64, _ body: (inout ItemRecord) -> Void) {
        guard var record = records[place] else { return }
        body(&record)
        record.changed = now
        records[place] = record
        touched.insert(place)
    }

    private mutating func move(_ moves: [MovedFileSearch.Move], at now: Int64) {
        // Two files may exchange their places, so all records are removed first.
        let moved = moves.map { move in (move.file, records[move.origin]) }
        for move in moves {
            records[move.origin] = nil
            touched.insert(move.origin)
        }
        for (file, record) in moved {
            guard var record, let stamp = file.stamp else { continue }
            // The content is the same, so the fingerprint remains valid under another inode.
            (record.place, record.stamp, record.isPresent, record.changed) = (file.place, stamp, true, now)
            records[file.place] = record
            touched.insert(file.place)
        }
    }

    private mutating func add(_ files: [File], at now: Int64) {
        if files.isEmpty { return }
        var ids = Set(records.values.map(\.id))
        for file in files {
            let id = Self.freshID(file.place.path, &ids)
            let stamp = file.stamp ?? .unknown
            records[file.place] = ItemRecord(place: file.place, id: id, stamp: stamp, changed: now)
            touched.insert(file.place)
        }
    }

    private mutating func evict(except here: Set<ItemRecord.Place>) {
        guard records.count - here.count > Self.missingLimit else { return }
        let missing = records.values.filter { !here.contains($0.place) }.sorted { $0.changed < $1.changed }
        for record in missing.dropLast(Self.missingLimit) {
            records[record.place] = nil
            touched.insert(record.place)
        }
    }

    /// The id of a path: 60 bits of its hash as 12 letters and digits.
    ///
    /// If two roots contain the same path, or the id belongs to a file that was renamed, it is the next free one.
    static func freshID(_ path: [UInt8], _ ids: inout Set<String>) -> String {
        var text = path
        while true {
            var bits = StableHash.of(text).high
            var id = ""
            for _ in 0..<12 {
                id.append(alphabet[Int(bits & 31)])
                bits >>= 5
            }
            if ids.insert(id).inserted { return id }
            text.append(0)
        }
    }

    /// Without `i`, `l`, `o`, and `u`: people read ids aloud and type them on phones.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
}
