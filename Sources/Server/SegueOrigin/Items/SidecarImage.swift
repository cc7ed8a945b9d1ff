import SeguePackager

/// An image file next to an item: `NAME.jpg`, `poster.jpg`, `cover.jpg`, or `folder.jpg` in its folder.
enum SidecarImage {
    private static let names = ["poster", "Poster", "cover", "Cover", "folder", "Folder", "front", "Front"]
    private static let extensions = ["jpg", "jpeg", "png", "JPG"]
    /// The maximum size in bytes.
    static let mostBytes: Int64 = 32 << 20

    /// The first such file, or nil if there is none.
    static func beside(_ item: LibraryItem, in library: Library) -> FileIdentity? {
        for name in [item.name] + names {
            for ending in extensions {
                guard let path = library.path(of: "\(name).\(ending)", beside: item),
                    let identity = try? FileIdentity(ofFileAt: path), (1...mostBytes).contains(identity.size)
                else { continue }
                return identity
            }
        }
        return nil
    }
}
