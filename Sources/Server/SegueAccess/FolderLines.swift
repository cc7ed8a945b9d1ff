/// The storage format of folder lists: one folder to a line, since served folders have no line breaks in their names.
package enum FolderLines {
    package static func text(_ folders: [String]?) -> String? { folders?.joined(separator: "\n") }

    package static func list(_ text: String?) -> [String]? { text?.split(separator: "\n").map(String.init) }
}
