extension Visitor {
    /// Whether they may see all that is served, and so figures about all of it.
    package var seesAll: Bool { folders == nil }

    /// Whether they may see an item.
    package func sees(_ item: LibraryItem) -> Bool { folders == nil || sees(folder: item.folder) }

    /// Whether they may see what lies at a path, a folder's or a file's.
    package func sees(path: String) -> Bool { folders == nil || sees(folder: path) }

    /// Whether a folder is one of theirs or lies below one, byte for byte: what only looks the same is another.
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
    /// The items that somebody may see.
    package func items(for visitor: Visitor) -> [LibraryItem] {
        visitor.seesAll ? items : items.filter(visitor.sees)
    }
}
