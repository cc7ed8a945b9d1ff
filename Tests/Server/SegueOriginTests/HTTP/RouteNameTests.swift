import Testing

@testable import SegueOrigin

@Suite struct `Names of routes` {
    @Test(arguments: RouteName.allCases)
    func `each has an example that leads to it`(name: RouteName) throws {
        let target = try RequestTarget(name.example(id: "n8cmtk7rqce0", tag: "0a1b"))
        #expect(Route(target.components)?.name == name)
        #expect(name.isOfItem == target.components.contains("n8cmtk7rqce0"))
    }
}
