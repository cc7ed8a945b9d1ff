internal import Foundation

/// A folder of files that a program needs: in a checkout or an installation.
package enum ProgramFolder {
    /// Finds a folder beside the program or above it (a checkout), or in `../share/segue` (an installation).
    ///
    /// - Parameters:
    ///   - name: The name of the folder.
    ///   - entry: A folder that it must hold.
    ///   - program: The path of the program.
    /// - Returns: The path of the folder; nil if there is none.
    package static func path(of name: String, with entry: String, belongingTo program: String) -> String? {
        var folder = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appendingPathComponent("share/segue/\(name)").path
        while true {
            let candidate = folder.appendingPathComponent(name).path
            if holds(entry, candidate) { return candidate }
            if folder.path == "/" { break }
            folder.deleteLastPathComponent()
        }
        return holds(entry, installed) ? installed : nil
    }

    /// Returns whether a folder holds another one.
    package static func holds(_ entry: String, _ folder: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(folder)/\(entry)", isDirectory: &isFolder)
            && isFolder.boolValue
    }
}
