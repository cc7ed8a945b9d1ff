package import SegueData

/// The names that rules and scenarios may refer to: those of the data folder and of the files of a run.
package struct DataNames: Sendable {
    private let folder: HarnessFolder
    private let given: DataPaths?

    /// `given` is the files of a run, which may be elsewhere.
    package init(folder: HarnessFolder, given: DataPaths? = nil) {
        self.folder = folder
        self.given = given
    }

    /// The error for an unknown name; nil for a known one.
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
