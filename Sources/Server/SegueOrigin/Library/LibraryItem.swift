/// A file in the library: its name and location.
///
/// Its content is unknown until it is scanned.
package struct LibraryItem: Sendable, Hashable {
    /// A short id of letters and digits, derived from the path below the root at which the file was first found.
    package let id: String

    /// The path below its root, for display, with U+FFFD for invalid bytes.
    package let path: String

    /// A path that opens the file; for a name that is not UTF-8, a link of the program.
    package let filePath: String

    /// The file's name without its extension, for display.
    package let name: String

    /// The folder below the root, for display; empty for the root.
    package let folder: String

    /// The extension in lower case, without the dot.
    package let fileExtension: String

    /// The file's name, for display.
    package var fileName: String { FileNames.text(FileNames.lastComponent(relativePath)) }

    /// The path below the root in bytes.
    let relativePath: [UInt8]

    /// The index of the root.
    let root: Int
}
