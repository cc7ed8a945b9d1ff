import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// The served folders and their files.
///
/// A request names a file by its id, which is looked up here; no text of a request becomes part of a path.
package final class Library: Sendable {
    /// A file or folder that is not served.
    package struct PassedOver: Sendable, Equatable {
        /// The path below its root, for display.
        package var path: String
        /// The reason, for people.
        package var reason: String
    }

    /// The files and the results of the scan.
    private struct Contents {
        /// All folders that were ever served; items refer to them by index.
        var roots: [LibraryScan.Root] = []
        /// The same folders: what is opened in them has to be in them.
        var folders: [GuardedFolder] = []
        /// The indexes of the served folders in order.
        var served: [Int] = []
        var items: [LibraryItem] = []
        var numbers: [String: Int] = [:]
        var passedOver: [PassedOver] = []
        var generation: UInt64 = 0
    }

    private let isOneFile: Bool
    private let aliases = AliasFolder()
    private let contents: Mutex<Contents>
    /// The ids of the files; locked after ``contents`` is released, and while files are read.
    let register: Mutex<ItemRegister>
    let storeItems: @Sendable (StoredItems.Change) -> Void
    private let names: LibraryScan.FolderReader
    private let own: [[UInt8]]

    /// Scans folders without opening their files, except for new files that may be missing ones of the same size.
    ///
    /// - Parameters:
    ///   - own: Folders of the program itself, whose files are not items.
    ///   - stored: The ids of earlier runs; nil if ids are forgotten with the library.
    /// - Throws: ``LibraryError`` for the first folder that is missing, not a folder, or unreadable.
    package convenience init(
        roots: [String],
        leavingOut own: [String] = [],
        stored: StoredItems? = nil
    ) throws(LibraryError) {
        try self.init(roots: roots, leavingOut: own, stored: stored, names: FileNames.forEachName)
    }

    init(
        roots: [String],
        leavingOut own: [String] = [],
        stored: StoredItems? = nil,
        names: @escaping LibraryScan.FolderReader
    ) throws(LibraryError) {
        self.names = names
        self.own = own.map { Array($0.utf8) }
        let stored = stored ?? StoredItems([]) { _ in }
        register = Mutex(ItemRegister(stored.records))
        storeItems = stored.store
        isOneFile = false
        contents = Mutex(Contents())
        try serve(roots)
    }

    /// Replaces the served folders.
    ///
    /// Items of remaining folders keep their ids unless an id is taken.
    ///
    /// - Throws: ``LibraryError`` for the first folder that is missing, not a folder, or unreadable; nothing changes
    ///   then.
    package func serve(_ roots: [String]) throws(LibraryError) {
        var found: [LibraryScan.Root] = []
        for root in roots { found.append(try Self.open(root)) }
        let served = found
        contents.withLock { contents in
            contents.served = []
            for root in served {
                let place = contents.roots.firstIndex(of: root) ?? contents.roots.count
                if place == contents.roots.count {
                    contents.roots.append(root)
                    contents.folders.append(GuardedFolder(path: root.path))
                }
                if !contents.served.contains(place) { contents.served.append(place) }
            }
        }
        rescan()
    }

    /// Creates a library of one file.
    ///
    /// - Parameter file: The file's path, possibly not UTF-8.
    /// - Throws: ``LibraryError`` if there is no such regular file.
    package init(file: [UInt8]) throws(LibraryError) {
        let path = try Self.canonical(file)
        guard FileStatus(path: path)?.isRegular == true else {
            throw LibraryError(reason: .notAFile, folder: FileNames.text(file[...]), message: "not a regular file")
        }
        let name = Array(FileNames.lastComponent(path))
        let folder = path.count > name.count + 1 ? Array(path.dropLast(name.count + 1)) : [UInt8(ascii: "/")]
        names = FileNames.forEachName
        own = []
        register = Mutex(ItemRegister())
        storeItems = { _ in }
        let roots = [LibraryScan.Root(path: folder)]
        isOneFile = true
        contents = Mutex(Contents(roots: roots, served: [0]))
        var ids: Set<String> = []
        let found = LibraryScan.Found(root: 0, relativePath: name)
        let only = item(found, id: ItemRegister.freshID(name, &ids), roots: roots)
        contents.withLock { contents in
            contents.items = [only]
            contents.numbers = [only.id: 0]
        }
    }

    /// All items by root and path.
    package var items: [LibraryItem] { contents.withLock { $0.items } }

    /// All items, and a number that increases with each change.
    var listing: (items: [LibraryItem], generation: UInt64) { contents.withLock { ($0.items, $0.generation) } }

    /// Files and folders that the scan skipped although a user may expect them: links out of the folder, unreadable
    /// folders.
    package var passedOver: [PassedOver] { contents.withLock { $0.passedOver } }

    package func item(_ id: String) -> LibraryItem? {
        contents.withLock { contents in contents.numbers[id].map { contents.items[$0] } }
    }

    /// Scans the folders again.
    ///
    /// Items keep their ids, renamed and moved ones included, and unreadable folders keep their items.
    package func rescan() {
        if isOneFile { return }
        let known = contents.withLock { $0 }
        let scan = LibraryScan(
            known.served.map { known.roots[$0] },
            known: known.items.compactMap { item in
                known.served.firstIndex(of: item.root).map {
                    LibraryScan.Found(root: $0, relativePath: item.relativePath)
                }
            },
            leavingOut: own,
            names: names
        )
        let ids = ids(of: scan.found, below: known.served.map { known.roots[$0].path })
        let items = zip(scan.found, ids).map { seen, id in
            let file = LibraryScan.Found(root: known.served[seen.file.root], relativePath: seen.file.relativePath)
            let before = known.numbers[id].map { known.items[$0] }
            if let before, before.relativePath == file.relativePath, before.root == file.root { return before }
            return item(file, id: id, roots: known.roots)
        }
        contents.withLock { contents in
            // The call that replaced the folders scans them.
            guard contents.served == known.served else { return }
            if contents.items != items { contents.generation += 1 }
            contents.items = items
            contents.numbers = Dictionary(
                items.enumerated().map { ($0.element.id, $0.offset) },
                uniquingKeysWith: { first, _ in first }
            )
            contents.passedOver = scan.passedOver
        }
    }

    /// Removes the links for file names that are not UTF-8.
    ///
    /// The library does so when it is released; a program that exits earlier calls this before.
    package func close() { aliases.remove() }

    /// Returns true if the item is still a regular file below its root; links are resolved again.
    func isPresent(_ item: LibraryItem) -> Bool {
        guard let root = root(of: item), let path = FileNames.canonical(FileNames.join(root, item.relativePath))
        else { return false }
        return FileNames.path(path, isIn: root) && FileStatus(path: path)?.isRegular == true
    }

    /// The regular files in an item's folder, by name and path; empty for a library of one file.
    ///
    /// Links out of the root, and names that are not UTF-8, are left out.
    func neighbours(of item: LibraryItem) -> [(name: String, path: String)] {
        guard let root = root(of: item) else { return [] }
        let own = Array(FileNames.lastComponent(item.relativePath))
        let folder = FileNames.join(root, Array(item.relativePath.dropLast(own.count)))
        guard !isOneFile, let folder = FileNames.canonical(folder) else { return [] }
        var result: [(name: String, path: String)] = []
        FileNames.forEachName(in: folder) { name in
            let stem = Array(FileNames.stem(item.relativePath).utf8)
            guard name != own, name.starts(with: stem),
                let path = FileNames.canonical(FileNames.join(folder, name)), FileNames.path(path, isIn: root),
                FileNames.isText(name), FileNames.isText(path),
                FileStatus(path: path)?.isRegular == true
            else { return }
            result.append((FileNames.text(name), FileNames.text(path)))
        }
        return result
    }

    /// The path of a regular file in an item's folder, or nil if there is none or it is a link out of the root.
    func path(of name: String, beside item: LibraryItem) -> String? {
        guard let root = root(of: item) else { return nil }
        let own = FileNames.lastComponent(item.relativePath)
        let folder = FileNames.join(root, Array(item.relativePath.dropLast(own.count)))
        guard !isOneFile, !name.utf8.contains(0), !name.contains("/") else { return nil }
        let asked = FileNames.join(folder, Array(name.utf8))
        // Most names do not exist, which a single call shows; resolving a path looks at each of its folders.
        guard FileStatus(path: asked, followsLinks: false) != nil, let path = FileNames.canonical(asked),
            FileNames.path(path, isIn: root), FileNames.isText(path),
            FileStatus(path: path)?.isRegular == true
        else { return nil }
        return FileNames.text(path)
    }

    /// The root of an item, or nil if it is no longer served.
    func root(of item: LibraryItem) -> [UInt8]? {
        contents.withLock { $0.served.contains(item.root) ? $0.roots[item.root].path : nil }
    }

    private func item(_ file: LibraryScan.Found, id: String, roots: [LibraryScan.Root]) -> LibraryItem {
        let relativePath = file.relativePath
        let path = FileNames.join(roots[file.root].path, relativePath)
        let fileExtension = FileNames.lowercaseExtension(relativePath)
        let openable =
            FileNames.isText(path)
            ? nil : aliases.alias(for: path, named: id, fileExtension: fileExtension)
        let name = FileNames.lastComponent(relativePath)
        return LibraryItem(
            id: id,
            path: FileNames.text(relativePath),
            filePath: openable ?? FileNames.text(path),
            name: FileNames.stem(relativePath),
            folder: FileNames.text(relativePath[..<max(0, name.startIndex - 1)]),
            fileExtension: fileExtension,
            relativePath: relativePath,
            root: file.root
        )
    }

    private static func open(_ folder: String) throws(LibraryError) -> LibraryScan.Root {
        let path = try canonical(Array(folder.utf8))
        guard FileStatus(path: path)?.isFolder == true else {
            throw LibraryError(reason: .notAFolder, folder: folder, message: "not a folder")
        }
        guard FileNames.forEachName(in: path, { _ in }) != nil else {
            throw LibraryError(reason: .unreadable, folder: folder, message: FileNames.lastError())
        }
        return LibraryScan.Root(path: path)
    }

    private static func canonical(_ bytes: [UInt8]) throws(LibraryError) -> [UInt8] {
        let path = FileNames.text(bytes[...])
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw LibraryError(reason: .missing, folder: path, message: "not a valid name of a file or folder")
        }
        guard let canonical = FileNames.canonical(bytes) else {
            let isMissing = FileNames.isMissingError
            throw LibraryError(
                reason: isMissing ? .missing : .unreadable,
                folder: path,
                message: isMissing ? "no such file or folder" : FileNames.lastError()
            )
        }
        return canonical
    }
}
