import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// The folders that are served, and the files in them.
///
/// A request names a file by its id, which is looked up here; no text from a request is ever part of a path.
package final class Library: Sendable {
    /// Something in the folders that is not served, and why.
    package struct PassedOver: Sendable, Equatable {
        /// The path below its root, for display.
        package var path: String
        /// The reason, for a person.
        package var reason: String
    }

    /// The files themselves, and what was found on the way.
    private struct Contents {
        /// All folders that were ever served: items name theirs by its place.
        var roots: [LibraryScan.Root] = []
        /// The places of those that are served, in order.
        var served: [Int] = []
        var items: [LibraryItem] = []
        var numbers: [String: Int] = [:]
        var passedOver: [PassedOver] = []
        var generation: UInt64 = 0
    }

    private let isOneFile: Bool
    private let aliases = AliasFolder()
    private let contents: Mutex<Contents>
    private let names: LibraryScan.FolderReader
    private let own: [[UInt8]]

    /// Scans folders; the files in them are not opened.
    ///
    /// - Parameters:
    ///   - roots: The folders' paths.
    ///   - own: Folders that the program keeps its own things in, which may lie below; nothing in them is an item.
    /// - Throws: ``LibraryError`` for the first folder that is missing, no folder or not readable.
    package convenience init(roots: [String], leavingOut own: [String] = []) throws(LibraryError) {
        try self.init(roots: roots, leavingOut: own, names: FileNames.forEachName)
    }

    /// Scans folders with a reader for them.
    init(
        roots: [String],
        leavingOut own: [String] = [],
        names: @escaping LibraryScan.FolderReader
    ) throws(LibraryError) {
        self.names = names
        self.own = own.map { Array($0.utf8) }
        isOneFile = false
        contents = Mutex(Contents())
        try serve(roots)
    }

    /// Serves other folders from now on; items of those that stay keep their ids, as far as no other has it.
    ///
    /// - Parameter roots: The folders' paths.
    /// - Throws: ``LibraryError`` for the first folder that is missing, no folder or not readable; nothing changes then.
    package func serve(_ roots: [String]) throws(LibraryError) {
        var found: [LibraryScan.Root] = []
        for root in roots { found.append(try Self.open(root)) }
        let served = found
        contents.withLock { contents in
            contents.served = []
            for root in served {
                let place = contents.roots.firstIndex(of: root) ?? contents.roots.count
                if place == contents.roots.count { contents.roots.append(root) }
                if !contents.served.contains(place) { contents.served.append(place) }
            }
        }
        rescan()
    }

    /// A library of one file, whatever lies beside it.
    ///
    /// - Parameter file: The file's path, which need not be text.
    /// - Throws: ``LibraryError`` when there is no such regular file.
    package init(file: [UInt8]) throws(LibraryError) {
        let path = try Self.canonical(file)
        guard FileStatus(path: path)?.isRegular == true else {
            throw LibraryError(reason: .notAFile, folder: FileNames.text(file[...]), message: "not a regular file")
        }
        let name = Array(FileNames.lastComponent(path))
        let folder = path.count > name.count + 1 ? Array(path.dropLast(name.count + 1)) : [UInt8(ascii: "/")]
        names = FileNames.forEachName
        own = []
        let roots = [LibraryScan.Root(path: folder)]
        isOneFile = true
        contents = Mutex(Contents(roots: roots, served: [0]))
        var ids: Set<String> = []
        let found = LibraryScan.Found(root: 0, relativePath: name)
        let only = item(found, Self.freshID(name, &ids), roots)
        contents.withLock { contents in
            contents.items = [only]
            contents.numbers = [only.id: 0]
        }
    }

    /// All items, by root and path.
    package var items: [LibraryItem] { contents.withLock { $0.items } }

    /// All items, and a number that goes up when they change.
    var listing: (items: [LibraryItem], generation: UInt64) { contents.withLock { ($0.items, $0.generation) } }

    /// What the scan passed over that somebody may miss: links out of the folder, unreadable folders.
    package var passedOver: [PassedOver] { contents.withLock { $0.passedOver } }

    /// The item with an id.
    package func item(_ id: String) -> LibraryItem? {
        contents.withLock { contents in contents.numbers[id].map { contents.items[$0] } }
    }

    /// Looks through the folders again; items keep their ids, and what cannot be read stays as it was known.
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
        var ids: Set<String> = []
        let items = scan.found.map { found in
            let file = LibraryScan.Found(root: known.served[found.root], relativePath: found.relativePath)
            let id = Self.freshID(file.relativePath, &ids)
            let before = known.numbers[id].map { known.items[$0] }
            if let before, before.relativePath == file.relativePath, before.root == file.root { return before }
            return item(file, id, known.roots)
        }
        contents.withLock { contents in
            // Other folders are served meanwhile: whoever has said so looks through them.
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

    /// Removes what the library has made on the disk: names for files whose own names are no text.
    ///
    /// It does so by itself when it goes; a program that ends while it still has it calls this before.
    package func close() { aliases.remove() }

    /// Whether the item is still there as a regular file below its root; links are followed and judged anew.
    func isPresent(_ item: LibraryItem) -> Bool {
        guard let root = root(of: item), let path = FileNames.canonical(FileNames.join(root, item.relativePath))
        else { return false }
        return FileNames.path(path, isIn: root) && FileStatus(path: path)?.isRegular == true
    }

    /// The regular files in an item's folder, by name and path; none for a library of one file.
    ///
    /// Links that lead out of the root, and names that are no text, are left out.
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

    /// The path of a regular file of a name in an item's folder; nil where there is none, or it is elsewhere in truth.
    func path(of name: String, beside item: LibraryItem) -> String? {
        guard let root = root(of: item) else { return nil }
        let own = FileNames.lastComponent(item.relativePath)
        let folder = FileNames.join(root, Array(item.relativePath.dropLast(own.count)))
        guard !isOneFile, !name.utf8.contains(0), !name.contains("/") else { return nil }
        let asked = FileNames.join(folder, Array(name.utf8))
        // Of most names there is nothing, which is seen at once; where a path leads takes a look at each of its folders.
        guard FileStatus(path: asked, followsLinks: false) != nil, let path = FileNames.canonical(asked),
            FileNames.path(path, isIn: root), FileNames.isText(path),
            FileStatus(path: path)?.isRegular == true
        else { return nil }
        return FileNames.text(path)
    }

    /// The folder that an item is in; nil where it is served no more.
    private func root(of item: LibraryItem) -> [UInt8]? {
        contents.withLock { $0.served.contains(item.root) ? $0.roots[item.root].path : nil }
    }

    private func item(_ file: LibraryScan.Found, _ id: String, _ roots: [LibraryScan.Root]) -> LibraryItem {
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

    /// The id of a path: 60 bits of its hash as 12 letters and digits.
    ///
    /// Where two roots hold the same path, or two paths one hash, the later takes the next free one.
    private static func freshID(_ path: [UInt8], _ ids: inout Set<String>) -> String {
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

    /// No `i`, `l`, `o`, `u`: ids are read aloud and typed on phones.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

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
            throw LibraryError(reason: .missing, folder: path, message: "not the name of a file or folder")
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
