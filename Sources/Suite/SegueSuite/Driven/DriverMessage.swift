package import Foundation
internal import SegueBase
package import SegueEvents

/// The first line of a driver: its player and its capabilities.
package struct DriverHello: Sendable, Equatable {
    /// The version of the protocol.
    static let version = 1

    /// The name and version of the player.
    package var player: String
    /// The driver's clock at that time, in seconds.
    package var clock: Double
    /// The supported commands.
    package var can: Set<String>
    /// The reported facts.
    package var tells: Set<String>
    /// A recording of the player's output, complete when the driver has ended.
    package var recording: String?
}

/// A line of a driver (docs/drivers.md).
package enum DriverMessage: Sendable, Equatable {
    case hello(DriverHello)
    /// The response to a command, with the reason of a refusal.
    case answer(id: Int, refusal: String?)
    /// An event at a time of the driver's clock.
    case event(Event)
    /// The state between events.
    case state(t: Double, DriverState)
    /// A line of an unknown kind.
    case unknown(String)
}

/// The state between events.
package struct DriverState: Sendable, Equatable, Decodable {
    /// The playhead in seconds.
    package var position: Double
    /// The rate; 0 while it stands still.
    package var rate: Double
    /// The media ahead of the playhead in seconds; nil if unknown.
    package var buffered: Double?
}

/// The violation of the protocol by a line.
package struct DriverLineError: Error, Equatable, CustomStringConvertible {
    package let description: String
}

extension DriverMessage {
    /// The largest magnitude of a number: a clock in seconds that began long ago.
    private static let greatest = 1e12

    private struct Line: Decodable {
        var driver: Int?
        var player: String?
        var clock: Double?
        var can: [String]?
        var tells: [String]?
        var recording: String?
        var id: Int?
        var cannot: String?
        var t: Double?
        var kind: String?
        var state: DriverState?
    }

    /// Reads a line.
    ///
    /// - Throws: ``DriverLineError``.
    package init(_ line: Data) throws(DriverLineError) {
        let read: Line
        do {
            read = try JSONDecoder().decode(Line.self, from: line)
        } catch DecodingError.typeMismatch(_, let context) {
            let key = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw DriverLineError(description: "a line has \(key) of another type: \(Self.shown(line))")
        } catch {
            throw DriverLineError(description: "a line is not a JSON object: \(Self.shown(line))")
        }
        if let version = read.driver {
            self = .hello(try Self.hello(version, read))
        } else if read.kind != nil {
            self = try Self.event(line)
        } else if let state = read.state {
            guard let t = read.t, [t, state.position, state.rate, state.buffered ?? 0].allSatisfy(Self.isSane) else {
                throw DriverLineError(
                    description: "a state has no time or an invalid number: \(Self.shown(line))"
                )
            }
            self = .state(t: t, state)
        } else if let id = read.id {
            self = .answer(id: id, refusal: read.cannot)
        } else {
            throw DriverLineError(description: "a line has none of the known keys: \(Self.shown(line))")
        }
    }

    private static func hello(_ version: Int, _ line: Line) throws(DriverLineError) -> DriverHello {
        guard version == DriverHello.version else {
            throw DriverLineError(
                description: "the driver speaks protocol version \(version), expected \(DriverHello.version)"
            )
        }
        guard let player = line.player, !player.isEmpty, let clock = line.clock, isSane(clock) else {
            throw DriverLineError(description: "the driver's first line lacks the player or the clock")
        }
        return DriverHello(
            player: player,
            clock: clock,
            can: Set(line.can ?? []),
            tells: Set(line.tells ?? []),
            recording: line.recording
        )
    }

    private static func event(_ line: Data) throws(DriverLineError) -> DriverMessage {
        do {
            let fields = try Event.fields(jsonLine: line)
            // A driver's clock may start anywhere, unlike the time of a log.
            guard case .text(let kind) = fields["kind"] else { return .unknown("") }
            return try LoggedCase.event(fields, kind, times: -greatest...greatest).map { .event($0) } ?? .unknown(kind)
        } catch let failure as LineFailure {
            throw DriverLineError(description: "a line \(failure.reason): \(shown(line))")
        } catch {
            throw DriverLineError(description: "a line is not an event: \(shown(line))")
        }
    }

    private static func isSane(_ number: Double) -> Bool { number.magnitude <= greatest }

    private static func shown(_ line: Data) -> String { String(decoding: line.prefix(120), as: UTF8.self) }
}
