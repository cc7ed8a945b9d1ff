/// A search for the earlier places of new files.
struct MovedFileSearch {
    struct Move {
        var file: ItemRegister.File
        /// The place of the record that the file takes over.
        var origin: ItemRecord.Place
    }

    private let roots: Set<[UInt8]>
    private let disk: ItemRegister.Disk

    /// Files without a record; after the search those that were not moved.
    var arrived: [ItemRegister.File] = []
    /// Files whose content differs from their record; after the search those that were edited.
    var displaced: [ItemRecord.Place: ItemRegister.File] = [:]
    private(set) var moves: [Move] = []
    private var missingBySize: [Int64: [ItemRecord]] = [:]
    private var displacedByStamp: [ItemRecord.Stamp: ItemRecord.Place] = [:]

    init(roots: Set<[UInt8]>, disk: ItemRegister.Disk) { (self.roots, self.disk) = (roots, disk) }

    /// Searches.
    ///
    /// - Parameters:
    ///   - records: All records.
    ///   - missing: Those of files that the scan did not find.
    mutating func run(records: [ItemRecord.Place: ItemRecord], missing: [ItemRecord]) {
        if arrived.isEmpty, displaced.isEmpty { return }
        for record in missing where record.stamp.size > 0 {
            missingBySize[record.stamp.size, default: []].append(record)
        }
        for place in displaced.keys {
            if let stamp = records[place]?.stamp, stamp.size > 0 { displacedByStamp[stamp] = place }
        }
        var left: [ItemRegister.File] = []
        var place = 0
        while place < arrived.count {
            let file = arrived[place]
            place += 1
            if !moveByStamp(file) { left.append(file) }
        }
        moveCircles()
        arrived = left.filter { !moveByContent($0) }
    }

    /// Moves a file whose inode, size, and modification time are those of a record: a rename within a file system.
    private mutating func moveByStamp(_ file: ItemRegister.File) -> Bool {
        guard let stamp = file.stamp, stamp.size > 0 else { return false }
        if let origin = best(for: file, where: { $0.stamp == stamp }) {
            moves.append(Move(file: file, origin: origin))
            return true
        }
        guard let origin = displacedByStamp.removeValue(forKey: stamp) else { return false }
        moves.append(Move(file: file, origin: origin))
        // The file that replaced it has lost its record, and may have been moved itself.
        if let replacement = displaced.removeValue(forKey: origin) { arrived.append(replacement) }
        return true
    }

    /// Moves a file with the fingerprint of a missing one, as after a move to another disk.
    private mutating func moveByContent(_ file: ItemRegister.File) -> Bool {
        guard let size = file.stamp?.size, missingBySize[size]?.contains(where: { $0.fingerprint != nil }) == true,
            let fingerprint = disk.fingerprint(file.place),
            let origin = best(for: file, where: { $0.fingerprint == fingerprint })
        else { return false }
        moves.append(Move(file: file, origin: origin))
        return true
    }

    /// Moves files that exchanged their places: of two or more, in a circle.
    private mutating func moveCircles() {
        let starts = displaced.keys.sorted { $0.absolutePath.lexicographicallyPrecedes($1.absolutePath) }
        var walks: [ItemRecord.Place: Int] = [:]
        for (number, start) in starts.enumerated() {
            var walk: [Move] = []
            var place = start
            while walks[place] == nil, let file = displaced[place], let stamp = file.stamp,
                let origin = displacedByStamp[stamp]
            {
                walks[place] = number
                walk.append(Move(file: file, origin: origin))
                place = origin
            }
            guard walks[place] == number, let first = walk.firstIndex(where: { $0.file.place == place }) else {
                continue
            }
            for move in walk[first...] {
                moves.append(move)
                displaced[move.file.place] = nil
            }
        }
    }

    /// The missing file that a file most likely was, removed from the candidates: one with the same path or name, one
    /// that was there in the last scan, or the one that disappeared last.
    private mutating func best(for file: ItemRegister.File, where matches: (ItemRecord) -> Bool) -> ItemRecord.Place? {
        guard let size = file.stamp?.size, let candidates = missingBySize[size] else { return nil }
        let name = FileNames.lastComponent(file.place.path)
        func rank(_ record: ItemRecord) -> (Int, Int64) {
            let isNamesake = record.place.path == file.place.path || FileNames.lastComponent(record.place.path) == name
            return ((record.isPresent ? 2 : 0) + (isNamesake ? 1 : 0), record.changed)
        }
        let found = candidates.filter { matches($0) && isGone($0, insteadOf: file) }
            .max { rank($0) == rank($1) ? $1.place.path.lexicographicallyPrecedes($0.place.path) : rank($0) < rank($1) }
        missingBySize[size]?.removeAll { $0.place == found?.place }
        return found?.place
    }

    /// Returns true if a record's file is not in its place any more, or is this file below another served folder.
    private func isGone(_ record: ItemRecord, insteadOf file: ItemRegister.File) -> Bool {
        roots.contains(record.place.root) || record.place.absolutePath == file.place.absolutePath
            || !disk.exists(record.place)
    }
}
