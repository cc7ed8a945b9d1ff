import Foundation
import Synchronization

extension Library {
    /// Returns the ids of the files of a scan.
    ///
    /// - Parameters:
    ///   - found: The files, with indexes into `roots`.
    ///   - roots: The paths of the scanned folders.
    func ids(of found: [LibraryScan.Seen], below roots: [[UInt8]]) -> [String] {
        let files = found.map { seen in
            ItemRegister.File(
                place: ItemRecord.Place(root: roots[seen.file.root], path: seen.file.relativePath),
                stamp: seen.stamp
            )
        }
        let disk = ItemRegister.Disk(
            exists: { FileNames.exists($0.absolutePath) },
            fingerprint: { ContentFingerprint.reading($0.absolutePath)?.fingerprint }
        )
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        return register.withLock { register in
            register.update(files, below: Set(roots), at: now, disk: disk)
            defer { store(&register) }
            return files.map { file in
                guard let id = register.id(of: file.place) else { preconditionFailure("a file has no record") }
                return id
            }
        }
    }

    /// Reads the content by which an item is found after it was moved to another disk, unless it is known.
    func remember(contentOf item: LibraryItem) {
        guard let place = place(of: item), register.withLock({ $0.lacksFingerprint(place) }),
            let (fingerprint, stamp) = ContentFingerprint.reading(place.absolutePath)
        else { return }
        register.withLock { $0.note(fingerprint, of: place, stamp: stamp) }
    }

    /// Stores what changed in the records of items.
    func storeRecords() { register.withLock { store(&$0) } }

    private func store(_ register: inout ItemRegister) {
        let change = register.takeChange()
        if !change.isEmpty { storeItems(change) }
    }

    private func place(of item: LibraryItem) -> ItemRecord.Place? {
        root(of: item).map { ItemRecord.Place(root: $0, path: item.relativePath) }
    }
}
