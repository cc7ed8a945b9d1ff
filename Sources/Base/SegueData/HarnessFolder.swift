internal import Foundation

/// The data folder of the program: scenarios, platforms, app policies, networks, rules, and recipes.
package struct HarnessFolder: Sendable, Equatable {
    /// A kind of data, named after its folder.
    package enum Kind: String, Sendable, CaseIterable {
        case scenarios, platforms, apps, networks, devices, rules, waivers
        case knownIssues = "known-issues"

        /// The noun for one such file in messages.
        package var noun: String {
            switch self {
            case .scenarios: "scenario"
            case .platforms: "platform"
            case .apps: "app policy"
            case .networks: "network"
            case .devices: "device"
            case .rules: "rule file"
            case .waivers: "waiver file"
            case .knownIssues: "known issue"
            }
        }

        /// The name of a file with all keys of the kind; nil for a kind whose files may omit keys.
        var completeName: String? {
            switch self {
            case .platforms: "desktop"
            case .apps: "switch-if-rate"
            case .scenarios, .networks, .devices, .rules, .waivers, .knownIssues: nil
            }
        }
    }

    /// The folder that holds a folder for each kind.
    package let path: String

    package init(path: String) { self.path = path }

    /// Finds the data of a program: the folder in `SEGUE_HARNESS`, or else `Harness` beside or above the program (a
    /// checkout), or else `../share/segue/Harness` (an installation).
    ///
    /// - Throws: ``HarnessError`` if there is none.
    package static func belonging(to program: String, environment: [String: String]) throws(HarnessError)
        -> HarnessFolder
    {
        if let named = environment["SEGUE_HARNESS"] {
            guard isFolder(named) else {
                throw HarnessError(file: named, message: "is not a folder; set SEGUE_HARNESS to the data folder")
            }
            return HarnessFolder(path: named)
        }
        if let found = ProgramFolder.path(of: "Harness", with: "scenarios", belongingTo: program) {
            return HarnessFolder(path: found)
        }
        throw HarnessError(
            file: "Harness",
            message: "not found beside or above \(program); set SEGUE_HARNESS to the data folder"
        )
    }

    /// The names of all data of a kind, in order.
    package func names(of kind: Kind) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + kind.rawValue)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// Returns whether a text is a path and not a name: with a slash, or ending in `.yaml`.
    package static func isPath(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// Returns the path of the file with a name or path.
    ///
    /// - Parameters:
    ///   - name: A name of this kind, or a path: with a slash, or ending in `.yaml`.
    ///   - kind: The kind of data.
    /// - Returns: The path.
    /// - Throws: ``HarnessError`` for an unknown name, with the nearest known one.
    package func file(_ name: String, of kind: Kind) throws(HarnessError) -> String {
        if HarnessFolder.isPath(name) {
            guard FileManager.default.fileExists(atPath: name) else {
                throw HarnessError(file: name, message: "there is no such \(kind.noun) file")
            }
            return name
        }
        let known = names(of: kind)
        guard known.contains(name) else {
            throw HarnessError(file: kind.noun, message: UnknownName(name, among: known).description)
        }
        return "\(path)/\(kind.rawValue)/\(name).yaml"
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
