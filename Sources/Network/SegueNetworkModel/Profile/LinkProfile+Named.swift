internal import Foundation
package import SegueData

extension LinkProfile {
    /// The network that a name or a path means.
    ///
    /// - Parameters:
    ///   - name: The name of a network in the data folder, or the path of a file.
    ///   - folder: The data folder.
    /// - Returns: The network.
    /// - Throws: `HarnessError` with the file, line and key, or the nearest name that there is.
    package static func named(_ name: String, in folder: HarnessFolder) throws(HarnessError) -> LinkProfile {
        try LinkProfile(contentsOfFile: folder.file(name, of: .networks))
    }

    /// Takes out a network that is the value of the key `network`: a name, a path from the file's own folder or from the
    /// current one, or a mapping as in a network's file.
    ///
    /// - Parameters:
    ///   - fields: The keys.
    ///   - folder: Where the networks lie that have names; nil where only files and mappings are known.
    /// - Returns: The network.
    /// - Throws: `HarnessError` with the file, line and key, or the nearest name.
    package static func taken(from fields: inout HarnessFields, in folder: HarnessFolder?) throws(HarnessError)
        -> LinkProfile
    {
        let key = "network"
        if fields.shape(key) == .mapping, let inline = try fields.fields(key) { return try LinkProfile(inline) }
        let name = try fields.requiredText(key)
        let beside = URL(fileURLWithPath: fields.file).deletingLastPathComponent().appendingPathComponent(name).path
        if HarnessFolder.isPath(name), !name.hasPrefix("/"), FileManager.default.fileExists(atPath: beside) {
            return try LinkProfile(contentsOfFile: beside)
        }
        guard folder != nil || HarnessFolder.isPath(name) else {
            throw fields.error(key, "is \(name); without a data folder only files and mappings are known")
        }
        let path: String
        do {
            path = try (folder ?? HarnessFolder(path: "")).file(name, of: .networks)
        } catch {
            throw fields.error(key, HarnessFolder.isPath(name) ? "\(name): \(error.message)" : error.message)
        }
        return try LinkProfile(contentsOfFile: path)
    }
}
