import SegueOrigin
import SeguePlaylists

/// Commands on one subject, for a server with certain facts.
protocol CommandFamily: Sendable {
    var facts: ServerFacts { get }
}

extension CommandFamily {
    /// An id that no item has: it is too short.
    static var missing: String { "none" }

    /// A version tag that no file has.
    static var noTag: String { "0000000000000000" }

    /// The caching of immutable resources: public only without access control.
    var keptForEver: Expectation {
        .header("Cache-Control", "\(facts.hasKey ? "private" : "public"), max-age=31536000, immutable")
    }

    /// A parameter with invalid values.
    func refused(_ route: RouteName, at target: String, parameter: String, values: [String]) -> [ServerCommand] {
        let start = "\(target)\(target.contains("?") ? "&" : "?")\(parameter)="
        let expected: [Expectation] = [.status(400), .error("badQuery", naming: parameter)]
        let twice = ServerCommand(route, "\(parameter) twice", at: "\(start)1&\(parameter)=1", expect: expected)
        return values.map { ServerCommand(route, "\(parameter)=\($0)", at: start + $0, expect: expected) } + [twice]
    }

    /// The address of a reference, both relative to the server's.
    static func resolve(_ uri: String, _ target: String) -> String {
        let base = "http://server/"
        let resolved = URIReference.resolve(uri, against: base + target)
        return resolved.hasPrefix(base) ? String(resolved.dropFirst(base.count)) : resolved
    }
}
