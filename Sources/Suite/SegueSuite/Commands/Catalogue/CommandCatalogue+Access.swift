import SegueOrigin

/// How one asks a server that wants a key.
package enum CommandKey: Sendable {
    /// With the key that the server was named with, if it was.
    case own
    /// With none in the address.
    case none
    /// With one in the address that opens nothing.
    case wrong

    /// A key of the right form that chance will not make.
    package static let wrongKey = String(repeating: "0", count: 26)
}

extension CommandCatalogue {
    /// What somebody is answered who has no key, or one that opens nothing: the same, whatever they ask for.
    var uninvited: [ServerCommand] {
        guard facts.hasKey else { return [] }
        let first = ServerCommand(.page, "without a key", "", expect: Self.refusal) { answer in
            let same = SameRefusal(answer)
            return RouteName.allCases.flatMap { same.commands($0, id: Self.missing, tag: Self.noTag) } + same.others
        }
        let login = ServerCommand(
            .page,
            "without a key, by a browser",
            "",
            headers: [("Accept", "text/html,*/*;q=0.8")],
            expect: [
                .status(401), .header("Content-Type", startsWith: "text/html"), .header("Cache-Control", "no-store"),
                .hasHeader("Content-Security-Policy"), .wholeLength, .text("type=\"password\""),
            ]
        )
        let health = ServerCommand(
            .health,
            "without a key",
            "health",
            expect: [.status(200), .begins([Array("ok".utf8), Array("busy".utf8)], "'ok' or 'busy'")]
        )
        return [first.asked(with: .none), login.asked(with: .none), health.asked(with: .none)]
    }

    /// The same about an item that there is.
    func uninvited(_ id: String, tag: String) -> [ServerCommand] {
        guard facts.hasKey else { return [] }
        let first = ServerCommand(.item, "one that there is, without a key", "api/items/\(id)", expect: Self.refusal) {
            let same = SameRefusal($0)
            return RouteName.allCases.filter(\.isOfItem).flatMap { same.commands($0, id: id, tag: tag) }
        }
        return [first.asked(with: .none)]
    }

    /// What never changes may be kept for ever, by everybody where everybody may have it.
    var keptForEver: Expectation {
        .header("Cache-Control", "\(facts.hasKey ? "private" : "public"), max-age=31536000, immutable")
    }

    /// The tag of no file.
    static let noTag = "0000000000000000"

    fileprivate static let refusal: [Expectation] = [
        .status(401), .error("unauthorized"), .header("Cache-Control", "no-store"), .wholeLength,
    ]
}

extension ServerCommand {
    /// It, asked with another key or none.
    fileprivate func asked(with key: CommandKey) -> ServerCommand {
        var command = self
        command.key = key
        return command
    }
}

/// The commands that must all be refused as the first one was.
private struct SameRefusal {
    private let expected: [Expectation]

    /// - Parameter first: How the first was refused.
    init(_ first: CommandAnswer) {
        let head = Self.head(first)
        let same = Expectation("a head as the first had") { answer in
            let own = Self.head(answer)
            return own == head ? nil : "the head is \(own), and that of the first was \(head)"
        }
        expected = CommandCatalogue.refusal + [.body(first.body, "the same bytes as the first"), same]
    }

    /// Those about an address.
    func commands(_ route: RouteName, id: String, tag: String) -> [ServerCommand] {
        // Whoever looks whether the server lives needs no key.
        if route == .health { return [] }
        let target = String(route.example(id: id, tag: tag).dropFirst())
        return [("without a key", CommandKey.none), ("with a key that opens nothing", .wrong)].map { name, key in
            ServerCommand(route, name, target, method: route.method, expect: expected).asked(with: key)
        }
    }

    /// Those with a key or a password elsewhere than in the address, and those for nothing that there is.
    var others: [ServerCommand] {
        let key = CommandKey.wrongKey
        let ways: [(name: String, target: String, headers: [(name: String, value: String)])] = [
            ("a path under which there is nothing, without a key", "nothing/at/all", []),
            ("a path that climbs, without a key", "items/%2e%2e/%2e%2e/etc/passwd", []),
            ("with a wrong key as a parameter", "api/items?key=\(key)", []),
            ("with a wrong key as a bearer's", "api/items", [("Authorization", "Bearer \(key)")]),
            ("with a wrong key as a password", "api/items", [("Authorization", "Basic eDoweA==")]),
            ("with a session that there is not", "api/items", [("Cookie", "segue=\(key); segue-session=\(key)")]),
            ("with what lets in by no way that there is", "api/items", [("Authorization", "Digest \(key)")]),
            ("without a key, under another name of the host", "api/items", [("Host", "evil.example")]),
            ("without a key, by a page of another server", "api/items", [("Origin", "https://evil.example")]),
        ]
        return ways.map { way in
            ServerCommand(.items, way.name, way.target, headers: way.headers, expect: expected).asked(with: .none)
        }
    }

    /// Names and values of the head's fields, but for the time and what HTTP says of the connection.
    private static func head(_ answer: CommandAnswer) -> [String] {
        answer.headers.filter { !["date", "connection", "keep-alive"].contains($0.name) }
            .map { "\($0.name): \($0.value)" }.sorted()
    }
}
