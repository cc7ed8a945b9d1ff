import Link
import Timeline

/// Downloads over a link, one after the other, on one connection.
struct LinkRun {
    /// What curl asks nginx for, and what it answers before the body, in bytes.
    static let request = 80
    static let head = 250

    let link: SimulatedLink
    private(set) var now = Instant.zero

    init(_ profile: LinkProfile, seed: UInt64 = 1) { link = SimulatedLink(profile, seed: seed) }

    /// How long a download takes on a connection of its own, from the handshake's first packet to the last byte.
    mutating func fresh(_ bytes: Int) -> Double { download(bytes, on: link.connect(at: now)) }

    /// How long a second download of that size takes on the same connection, after a time without any.
    mutating func reused(_ bytes: Int, after idle: Duration = .zero) -> Double {
        let connection = link.connect(at: now)
        _ = download(bytes, on: connection)
        settle()
        now = now + idle
        return download(bytes, on: connection)
    }

    /// Lets all that is under way come to its end.
    mutating func settle() {
        while let next = link.nextInstant {
            now = max(now, next)
            _ = link.advance(to: now)
        }
    }

    private mutating func download(_ bytes: Int, on connection: SimulatedLink.Connection) -> Double {
        let start = now
        link.request(bytes: Self.request, on: connection, at: now)
        while let next = link.nextInstant {
            now = max(now, next)
            for (at, output) in link.advance(to: now) {
                switch output {
                case .requested(connection):
                    link.respond(headBytes: Self.head, bodyBytes: bytes, on: connection, at: at)
                case .received(connection, Self.head + bytes): return (at - start).seconds
                default: break
                }
            }
        }
        return .infinity
    }
}
