package import SegueData

/// The names of data that rules and scenarios may name: those of the data folder, and those that a run was given.
package struct DataNames: Sendable {
    private let folder: HarnessFolder
    private let given: DataPaths?

    /// The names of a data folder.
    ///
    /// - Parameters:
    ///   - given: Files of a run besides, which may lie elsewhere.
    package init(folder: HarnessFolder, given: DataPaths? = nil) {
        self.folder = folder
        self.given = given
    }

    /// What is wrong with a name; nil where it is known.
    func unknown(_ name: String, of kind: HarnessFolder.Kind) -> UnknownName? {
        let besides: [String: String]? =
            switch kind {
            case .scenarios: given?.scenarios
            case .platforms: given?.platforms
            case .networks: given?.networks
            case .apps: given?.apps
            case .devices, .rules, .waivers, .knownIssues: nil
            }
        let known = folder.names(of: kind) + (besides.map { Array($0.keys) } ?? [])
        return known.contains(name) ? nil : UnknownName(name, among: Array(Set(known)))
    }
}
