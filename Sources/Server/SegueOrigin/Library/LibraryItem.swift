/// A file in the library: its name and where it lies.
///
/// What is in it is known only when it has been opened.
package struct LibraryItem: Sendable, Hashable {
    /// A short name of letters and digits, the same in every run: made from the path below the root.
    package let id: String

    /// The path below its root, for display: bytes that are no text show as U+FFFD.
    package let path: String

    /// A path that opens the file; for a name that is not UTF-8, a link of ours that leads to it.
    package let filePath: String

    /// The file's name without its extension, for display where the file has no title.
    package let name: String

    /// The folder below the root, empty for the root itself, for display.
    package let folder: String

    /// The extension in small letters, without the dot.
    package let fileExtension: String

    /// The file's name, for display.
    package var fileName: String { FileNames.text(FileNames.lastComponent(relativePath)) }

    /// The true path below the root.
    let relativePath: [UInt8]

    /// The number of the root among the library's.
    let root: Int
}
