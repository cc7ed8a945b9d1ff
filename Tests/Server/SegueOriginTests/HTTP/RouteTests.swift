import Testing

@testable import SegueOrigin

@Suite struct Routes {
    @Test(arguments: RouteName.allCases)
    func `lead from each name's example back to the name`(name: RouteName) throws {
        let target = try RequestTarget(name.example(id: "n8cmtk7rqce0", tag: "0a1b"))
        #expect(RouteTable.match(target.components)?.route.name == name)
        #expect(name.isOfItem == target.components.contains("n8cmtk7rqce0"))
    }

    @Test(arguments: RouteTable.routes.map(\.path))
    func `match their own path`(path: String) throws {
        let target = try RequestTarget(path)
        #expect(RouteTable.match(target.components)?.route.path == path)
    }

    @Test(arguments: [
        "/nothing", "/health/", "/page/1", "/items", "/items/a", "/items/a/nothing", "/items/a/1/full.ts/x.ts",
        "/api/items/a/b", "/channel", "/channel/a/full/x.m4s", "/dlna/device.xml/more", "/dlna/Other/control",
    ])
    func `do not match other paths`(path: String) throws {
        #expect(RouteTable.match(try RequestTarget(path).components) == nil)
    }
}
