import SegueOrigin

/// The key of a request to a server with access control.
package enum CommandKey: Sendable {
    /// The key in the server's address, if there is one.
    case own
    case none
    /// A key that grants nothing.
    case wrong

    /// A valid key format that no random key will match.
    package static let wrongKey = String(repeating: "0", count: 26)
}

/// The requests without a valid key.
struct AccessCommands: CommandFamily {
    let facts: ServerFacts

    /// All get the same refusal, whatever they ask for.
    var uninvited: [ServerCommand] {
        guard facts.hasKey else { return [] }
        let first = ServerCommand(.page, "without a key", at: "", expect: Self.refusal).followed { answer in
            let same = SameRefusal(answer)
            return RouteName.allCases.flatMap { same.commands($0, id: Self.missing, tag: Self.noTag) } + same.others
        }
        let login = ServerCommand(
            .page,
            "without a key, by a browser",
            at: "",
            headers: [("Accept", "text/html,*/*;q=0.8")],
            expect: [
                .status(401), .header("Content-Type", startsWith: "text/html"), .header("Cache-Control", "no-store"),
                .hasHeader("Content-Security-Policy"), .wholeLength, .text("type=\"password\""),
            ]
        )
        let health = ServerCommand(
            .health,
            "without a key",
            at: "health",
            expect: [.status(200), .begins([Array("ok".utf8), Array("busy".utf8)], "'ok' or 'busy'")]
        )
        return [first.asked(with: .none), login.asked(with: .none), health.asked(with: .none)]
    }

    /// The requests for an existing item, refused in the same way.
    func uninvited(_ id: String, tag: String) -> [ServerCommand] {
        guard facts.hasKey else { return [] }
        let first = ServerCommand(.item, "an existing one, without a key", at: "api/items/\(id)", expect: Self.refusal)
            .followed {
                let same = SameRefusal($0)
                return RouteName.allCases.filter(\.isOfItem).flatMap { same.commands($0, id: id, tag: tag) }
            }
        return [first.asked(with: .none)]
    }

    fileprivate static let refusal: [Expectation] = [
        .status(401), .error("unauthorized"), .header("Cache-Control", "no-store"), .wholeLength,
    ]
}

extension ServerCommand {
    /// The command with another key, or none.
    fileprivate func asked(with key: CommandKey) -> ServerCommand {
        var command = self
        command.key = key
        return command
    }
}

/// A check that all commands are refused in the same way as the first one.
private struct SameRefusal {
    private let expected: [Expectation]

    /// - Parameter first: The refusal of the first command.
    init(_ first: CommandResponse) {
        let head = Self.head(first)
        let same = Expectation("the same head as the first refusal") { answer in
            let own = Self.head(answer)
            return own == head ? nil : "the head is \(own), expected \(head) as in the first refusal"
        }
        expected = AccessCommands.refusal + [.body(first.body, "the same bytes as the first"), same]
    }

    /// The commands for an address.
    func commands(_ route: RouteName, id: String, tag: String) -> [ServerCommand] {
        // The health check needs no key.
        if route == .health { return [] }
        let target = String(route.example(id: id, tag: tag).dropFirst())
        return [("without a key", CommandKey.none), ("with an invalid key", .wrong)].map { name, key in
            ServerCommand(route, name, at: target, method: route.method, expect: expected).asked(with: key)
        }
    }

    /// Keys and passwords in places other than the address, and requests for nothing that exists.
    var others: [ServerCommand] {
        let key = CommandKey.wrongKey
        let ways: [(name: String, target: String, headers: [(name: String, value: String)])] = [
            ("an unknown path, without a key", "nothing/at/all", []),
            ("a path traversal, without a key", "items/%2e%2e/%2e%2e/etc/passwd", []),
            ("with a wrong key as a parameter", "api/items?key=\(key)", []),
            ("with a wrong key as a bearer's", "api/items", [("Authorization", "Bearer \(key)")]),
            ("with a wrong key as a password", "api/items", [("Authorization", "Basic eDoweA==")]),
            ("with an unknown session", "api/items", [("Cookie", "segue=\(key); segue-session=\(key)")]),
            ("with an unknown authentication scheme", "api/items", [("Authorization", "Digest \(key)")]),
            ("without a key, under another name of the host", "api/items", [("Host", "evil.example")]),
            ("without a key, by a page of another server", "api/items", [("Origin", "https://evil.example")]),
        ]
        return ways.map { way in
            ServerCommand(.items, way.name, at: way.target, headers: way.headers, expect: expected).asked(with: .none)
        }
    }

    /// The names and values of the header fields, without the date and connection fields.
    private static func head(_ answer: CommandResponse) -> [String] {
        answer.headers.filter { !["date", "connection", "keep-alive"].contains($0.name) }
            .map { "\($0.name): \($0.value)" }.sorted()
    }
}
