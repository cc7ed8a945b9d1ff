import SegueOrigin

/// The facts about a server that decide its expected responses.
package struct ServerFacts: Sendable {
    /// The devices that players may name.
    package var devices: [String]
    /// True if it listens on loopback only, and so accepts only its own host names.
    package var isLoopback: Bool
    /// True if its address contains a key.
    package var hasKey: Bool

    package init(devices: [String], isLoopback: Bool, hasKey: Bool = false) {
        (self.devices, self.isLoopback, self.hasKey) = (devices, isLoopback, hasKey)
    }
}

/// All requests of the test suite for servers.
package struct CommandCatalogue: CommandFamily {
    let facts: ServerFacts

    package init(_ facts: ServerFacts) { self.facts = facts }

    /// The first commands; the others follow from responses.
    ///
    /// Commands about items follow from the list of items, which provides their ids.
    package var beginning: [ServerCommand] {
        RouteName.allCases.flatMap(commands) + strangers + AccessCommands(facts: facts).uninvited
    }

    /// The commands for a route that need no item.
    ///
    /// A route without commands of its own has those that follow from its declaration.
    func commands(for route: RouteName) -> [ServerCommand] {
        if let commands = ownCommands[route] { return commands }
        if route.isOfItem { return absent(route) }
        if route.isOptional { return perhaps(route, route.contentType) }
        let expected: [Expectation] = [
            .status(200), .header("Content-Type", startsWith: route.contentType), .wholeLength,
        ]
        return [ServerCommand(route, "", at: Self.example(route), expect: expected)]
    }

    private var ownCommands: [RouteName: [ServerCommand]] {
        let (library, streams) = (LibraryCommands(facts: facts), StreamCommands(facts: facts))
        let (resume, status) = (ResumeCommands(facts: facts), StatusCommands(facts: facts))
        return [
            .page: library.page, .items: library.items, .groups: GroupCommands(facts: facts).groups,
            .resume: resume.points, .resumePoint: resume.point(Self.missing, isThere: false), .radio: streams.radio,
            .channel: streams.channel, .channelPiece: streams.channelPieces, .health: status.health,
            .metrics: status.metrics,
            .pageFile: [
                ServerCommand(
                    .pageFile,
                    "an unknown one",
                    at: "page/0/none.css",
                    expect: [.status(404), .error("notFound")]
                )
            ],
        ]
    }

    private func absent(_ route: RouteName) -> [ServerCommand] {
        let target = Self.example(route)
        return [
            ServerCommand(route, "no such item", at: target, expect: [.status(404), .error("notFound")]),
            ServerCommand(route, "no such item", at: target, method: "HEAD", expect: [.status(404), .noBody]),
        ]
    }

    /// An example address of a route, of a missing item where the route has one.
    private static func example(_ route: RouteName) -> String {
        String(route.example(id: missing, tag: noTag).dropFirst())
    }

    /// A resource that depends on the server's configuration.
    private func perhaps(_ route: RouteName, _ type: String) -> [ServerCommand] {
        let target = Self.example(route)
        let expected = Expectation("200 and \(type), or 404") { answer in
            if answer.status == 404 { return Expectation.error("notFound").check(answer) }
            let there: [Expectation] = [.status(200), .header("Content-Type", startsWith: type), .wholeLength]
            return Expectation.first(of: there, notIn: answer)
        }
        return [
            ServerCommand(route, "", at: target, expect: [expected]),
            ServerCommand(route, "a longer path", at: "\(target)/more", expect: [.status(404), .error("notFound")]),
        ]
    }

    /// Requests that no well-behaved client sends, and unknown paths.
    private var strangers: [ServerCommand] {
        let refused: [Expectation] = [.status(400), .error("badTarget")]
        let nothing: [Expectation] = [.status(404), .error("notFound")]
        var commands = [
            ServerCommand(.page, "an unknown path", at: "nothing", expect: nothing),
            ServerCommand(.items, "a longer path", at: "api/items/none/none", expect: nothing),
            ServerCommand(.original, "another part of an item", at: "items/none/nothing", expect: nothing),
            ServerCommand(.original, "a path traversal", at: "items/%2e%2e/%2e%2e/etc/passwd", expect: refused),
            ServerCommand(.original, "an encoded path traversal", at: "items/..%2f..%2fetc/passwd", expect: refused),
            ServerCommand(.original, "a doubly encoded path traversal", at: "items/%252e%252e/x", expect: refused),
            ServerCommand(.page, "a path with a zero byte", at: "%00", expect: refused),
            ServerCommand(.page, "a broken encoding", at: "%zz", expect: refused),
            ServerCommand(
                .page,
                "a target of 5,000 bytes",
                at: String(repeating: "a", count: 5000),
                expect: [.status(414), .error("targetTooLong")]
            ),
        ]
        if facts.isLoopback {
            commands.append(
                ServerCommand(
                    .items,
                    "with the name of another host",
                    at: "api/items",
                    headers: [("Host", "evil.example")],
                    expect: [.status(403), .error("foreignHost")]
                )
            )
        }
        return commands
    }
}
