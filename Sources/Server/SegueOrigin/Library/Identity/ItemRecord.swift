import SegueConcurrency

/// The id of a file, and the facts that find the file after it was renamed or moved.
package struct ItemRecord: Sendable, Equatable {
    /// The location of a file.
    package struct Place: Sendable, Hashable {
        /// The absolute path of the served folder.
        package let root: [UInt8]
        /// The path below it.
        package let path: [UInt8]

        package init(root: [UInt8], path: [UInt8]) { (self.root, self.path) = (root, path) }

        var absolutePath: [UInt8] { FileNames.join(root, path) }
    }

    /// The file's status, which a rename does not change.
    package struct Stamp: Sendable, Hashable {
        package let size: Int64
        package let modifiedNanoseconds: Int64
        package let inode: UInt64

        package init(size: Int64, modifiedNanoseconds: Int64, inode: UInt64) {
            (self.size, self.modifiedNanoseconds, self.inode) = (size, modifiedNanoseconds, inode)
        }

        init(_ status: FileStatus) {
            (size, modifiedNanoseconds, inode) = (status.size, status.modifiedNanoseconds, status.inode)
        }

        /// The stamp of a file that only its path identifies, such as a symbolic link.
        static let unknown = Stamp(size: 0, modifiedNanoseconds: 0, inode: 0)
    }

    package internal(set) var place: Place
    package let id: String
    package internal(set) var stamp: Stamp
    /// Nil until the file has been read.
    package internal(set) var fingerprint: ContentFingerprint?
    /// False if the file was missing in the last scan of its folder.
    package internal(set) var isPresent: Bool
    /// The time of the last change of this record, in milliseconds since 1970.
    package internal(set) var changed: Int64

    package init(
        place: Place,
        id: String,
        stamp: Stamp,
        fingerprint: ContentFingerprint? = nil,
        isPresent: Bool = true,
        changed: Int64
    ) {
        (self.place, self.id, self.stamp) = (place, id, stamp)
        (self.fingerprint, self.isPresent, self.changed) = (fingerprint, isPresent, changed)
    }
}

/// The stored records of files, and the function that stores changes.
package struct StoredItems: Sendable {
    /// Changed and removed records.
    package struct Change: Sendable, Equatable {
        package internal(set) var records: [ItemRecord] = []
        package internal(set) var removed: [ItemRecord.Place] = []

        package init(records: [ItemRecord] = [], removed: [ItemRecord.Place] = []) {
            (self.records, self.removed) = (records, removed)
        }

        var isEmpty: Bool { records.isEmpty && removed.isEmpty }
    }

    let records: [ItemRecord]
    let store: @Sendable (Change) -> Void

    /// - Parameters:
    ///   - records: The records of earlier runs.
    ///   - store: Stores a change; removals come before additions.
    package init(_ records: [ItemRecord], store: @escaping @Sendable (Change) -> Void) {
        (self.records, self.store) = (records, store)
    }
}
