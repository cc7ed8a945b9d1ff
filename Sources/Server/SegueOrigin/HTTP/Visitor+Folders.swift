extension Visitor {
    /// True if the visitor sees the whole library.
    package var seesAll: Bool { folders == nil }

    /// True if the visitor sees the server's metrics.
    package var seesMetrics: Bool { seesAll && scope == .everything }

    package func sees(_ item: LibraryItem) -> Bool { folders == nil || sees(folder: item.folder) }

    /// Returns true if the visitor may see a folder or file.
    package func sees(path: String) -> Bool { folders == nil || sees(folder: path) }

    /// Returns true if a folder is, or is below, one of the visitor's folders; compared byte by byte.
    private func sees(folder: String) -> Bool {
        guard let folders else { return true }
        return folders.contains { own in
            let (own, folder) = (own.utf8, folder.utf8)
            guard folder.starts(with: own) else { return false }
            return own.isEmpty || folder.count == own.count || folder.dropFirst(own.count).first == UInt8(ascii: "/")
        }
    }
}

extension Library {
    /// The items that a visitor may see.
    package func items(for visitor: Visitor) -> [LibraryItem] {
        visitor.seesAll ? items : items.filter(visitor.sees)
    }
}
