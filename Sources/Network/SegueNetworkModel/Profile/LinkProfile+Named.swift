internal import Foundation
package import SegueData

extension LinkProfile {
    /// Returns the network with a name or path.
    ///
    /// - Parameters:
    ///   - name: The name of a network in the data folder, or the path of a file.
    /// - Returns: The network.
    /// - Throws: `HarnessError` with the file, the line, and the key, or with the nearest known name.
    package static func named(_ name: String, in folder: HarnessFolder) throws(HarnessError) -> LinkProfile {
        try LinkProfile(contentsOfFile: folder.file(name, of: .networks))
    }

    /// Consumes the network under the key `network`: a name, a path relative to the file's folder or the current one,
    /// or a mapping as in a network file.
    ///
    /// - Parameters:
    ///   - folder: The data folder with the named networks; nil if only files and mappings are available.
    /// - Returns: The network.
    /// - Throws: `HarnessError` with the file, the line, and the key, or with the nearest known name.
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
            throw fields.error(key, "is \(name); without a data folder, only files and mappings are available")
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
