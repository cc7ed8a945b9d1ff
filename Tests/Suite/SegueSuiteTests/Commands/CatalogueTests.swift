import SegueOrigin
import Testing

@testable import SegueSuite

@Suite struct `The catalogue of commands` {
    private let catalogue = CommandCatalogue(ServerFacts(devices: [], isLoopback: true))

    @Test(arguments: RouteName.allCases)
    func `has commands for every route`(route: RouteName) {
        let commands = catalogue.commands(for: route)
        #expect(!commands.isEmpty)
        #expect(commands.allSatisfy { $0.route == route && !$0.expected.isEmpty })
    }
}
