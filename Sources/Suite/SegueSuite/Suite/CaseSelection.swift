internal import SegueComparison

/// The scenarios and networks of a suite that a title goes through.
package struct CaseSelection: Sendable, Codable, Equatable {
    /// The names of scenarios; empty for all.
    package var scenarios: [String]
    /// The names of networks; empty for all.
    package var networks: [String]

    static let all = CaseSelection()

    package init(scenarios: [String] = [], networks: [String] = []) {
        (self.scenarios, self.networks) = (scenarios, networks)
    }

    func includes(_ name: CaseName) -> Bool {
        (scenarios.isEmpty || scenarios.contains(name.scenario))
            && (networks.isEmpty || networks.contains(name.network))
    }
}
