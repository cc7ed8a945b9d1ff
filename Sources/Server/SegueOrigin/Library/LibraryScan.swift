import SegueConcurrency
import SegueFFmpeg

/// A scan of the roots: the items, and the skipped files with reasons.
///
/// Hidden files are ignored. A symbolic link counts if its target is below its own root, and is skipped with a reason
/// otherwise.
struct LibraryScan {
    struct Root: Sendable, Equatable {
        /// The absolute path without links.
        var path: [UInt8]
    }

    /// A regular file that may be media.
    struct Found: Sendable, Hashable {
        var root: Int
        var relativePath: [UInt8]
    }

    /// A file with its stamp; links, and files in unreadable folders, have none.
    struct Seen: Sendable {
        var file: Found
        var stamp: ItemRecord.Stamp?
    }

    /// The limits of a scan, against runaway folders.
    struct Limits: Sendable {
        var items = 200_000
        var depth = 64
    }

    /// A file or folder that the system does not let the program read now.
    struct Unread: Sendable, Equatable {
        var root: Int
        var relativePath: [UInt8]

        /// Returns true if an unreadable folder may contain a file.
        func mayHold(_ relativePath: [UInt8], root: Int) -> Bool {
            self.root == root
                && (self.relativePath.isEmpty || relativePath == self.relativePath
                    || FileNames.path(relativePath, isIn: self.relativePath))
        }
    }

    /// Calls a function with each name in a folder (see ``FileNames/forEachName(in:_:)``).
    typealias FolderReader = @Sendable (_ folder: [UInt8], _ body: ([UInt8]) -> Void) -> Void?

    private(set) var found: [Seen] = []
    private(set) var unread: [Unread] = []
    private(set) var passedOver: [Library.PassedOver] = []
    private let limits: Limits
    private let names: FolderReader
    private let own: Set<FolderKey>

    /// - Parameters:
    ///   - known: The files of the previous scan; those in unreadable folders are kept.
    ///   - own: Folders of the program itself, which contain no items.
    ///   - limits: The limits of the scan.
    init(
        _ roots: [Root],
        known: [Found] = [],
        leavingOut own: [[UInt8]] = [],
        limits: Limits = Limits(),
        names: @escaping FolderReader = FileNames.forEachName
    ) {
        self.limits = limits
        self.names = names
        self.own = Set(own.compactMap { FileStatus(path: $0).map(FolderKey.init) })
        for (number, root) in roots.enumerated() { walk(root, number) }
        if !unread.isEmpty {
            let seen = Set(found.map(\.file))
            let kept = known.filter { file in
                !seen.contains(file) && unread.contains { $0.mayHold(file.relativePath, root: file.root) }
            }
            found += kept.map { Seen(file: $0) }
        }
        found.sort { left, right in
            let (left, right) = (left.file, right.file)
            return left.root == right.root
                ? left.relativePath.lexicographicallyPrecedes(right.relativePath) : left.root < right.root
        }
    }

    private struct Pending {
        var relativePath: [UInt8]
        var depth: Int
    }

    private struct FolderKey: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
    }

    private mutating func walk(_ root: Root, _ number: Int) {
        var pending = [Pending(relativePath: [], depth: 0)]
        var visited: Set<FolderKey> = []
        while let folder = pending.popLast() {
            let path = FileNames.join(root.path, folder.relativePath)
            guard let status = FileStatus(path: path) else {
                passUnread(folder.relativePath, number)
                continue
            }
            // A folder that is reached again through a link contains nothing new.
            let key = FolderKey(status)
            guard !own.contains(key), visited.insert(key).inserted else { continue }
            var folders: [Pending] = []
            let read: Void? = names(path) { name in
                look(at: name, in: folder, root: root, number: number, &folders)
            }
            if read == nil { passUnread(folder.relativePath, number) }
            pending += folders
        }
    }

    private mutating func look(
        at name: [UInt8],
        in folder: Pending,
        root: Root,
        number: Int,
        _ folders: inout [Pending]
    ) {
        guard name.first != UInt8(ascii: ".") else { return }
        let relativePath = FileNames.join(folder.relativePath, name)
        let path = FileNames.join(root.path, relativePath)
        guard var status = FileStatus(path: path, followsLinks: false) else { return passUnread(relativePath, number) }
        let isLink = status.isLink
        if isLink {
            guard let target = FileNames.canonical(path), let linked = FileStatus(path: target)
            else {
                if !FileNames.isMissingError { return passUnread(relativePath, number) }
                return pass(relativePath, "a broken symbolic link")
            }
            guard target == root.path || FileNames.path(target, isIn: root.path) else {
                return pass(relativePath, "a symbolic link out of the served folder")
            }
            status = linked
        }
        if status.isFolder {
            guard folder.depth < limits.depth else {
                return pass(relativePath, "more than \(limits.depth) folders deep")
            }
            folders.append(Pending(relativePath: relativePath, depth: folder.depth + 1))
        } else if status.isRegular, MediaTypes.mayBeMedia(fileExtension: FileNames.lowercaseExtension(relativePath)) {
            guard found.count < limits.items else {
                if found.count == limits.items { pass(relativePath, "more than \(limits.items) files") }
                return
            }
            let file = Found(root: number, relativePath: relativePath)
            found.append(Seen(file: file, stamp: isLink ? nil : ItemRecord.Stamp(status)))
        }
    }

    /// Notes an unreadable file or folder, unless it was just deleted.
    private mutating func passUnread(_ path: [UInt8], _ root: Int) {
        if !FileNames.isMissingError { unread.append(Unread(root: root, relativePath: path)) }
        pass(path, FileNames.lastError())
    }

    /// Notes a skipped file or folder.
    ///
    /// The first hundred are enough to find the cause.
    private mutating func pass(_ path: [UInt8], _ reason: String) {
        guard passedOver.count < 100 else { return }
        passedOver.append(Library.PassedOver(path: FileNames.text(path), reason: reason))
    }
}
