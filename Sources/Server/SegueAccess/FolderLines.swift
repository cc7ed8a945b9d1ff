/// Folders as databases keep them: one to a line, as no name of a folder that is served shows a line's end.
package enum FolderLines {
    /// The lines; nil for all folders.
    package static func text(_ folders: [String]?) -> String? { folders?.joined(separator: "\n") }

    /// The folders of some lines; nil for all folders.
    package static func list(_ text: String?) -> [String]? { text?.split(separator: "\n").map(String.init) }
}
