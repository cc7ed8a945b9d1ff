package import Foundation
package import SegueEvents

/// Who a driver is, and what it can do: its first line.
package struct DriverHello: Sendable, Equatable {
    /// The protocol's version that is spoken here.
    static let version = 1

    /// The player, with its version.
    package var player: String
    /// What the driver's clock showed then, in seconds.
    package var clock: Double
    /// The commands that it takes.
    package var can: Set<String>
    /// What it can know of.
    package var tells: Set<String>
    /// A file in which what is seen and heard is recorded, whole when the driver has ended; nil where none is.
    package var recording: String?
}

/// A line of a driver (docs/drivers.md).
package enum DriverMessage: Sendable, Equatable {
    case hello(DriverHello)
    /// A command was taken; where it was not, why.
    case answer(id: Int, refusal: String?)
    /// Something happened, at a time of the driver's clock.
    case event(Event)
    /// How things are between events.
    case state(t: Double, DriverState)
    /// A kind that is not of the vocabulary.
    case unknown(String)
}

/// How things are between events.
package struct DriverState: Sendable, Equatable, Decodable {
    /// Where the playhead is, in seconds.
    package var position: Double
    /// How fast it goes; 0 where it stands.
    package var rate: Double
    /// How much is buffered ahead of it, in seconds; nil where that is not known.
    package var buffered: Double?
}

/// Why a line of a driver is none of the protocol.
package struct DriverLineError: Error, Equatable, CustomStringConvertible {
    package let description: String
}

extension DriverMessage {
    /// What numbers may be: a clock that began long ago, in seconds.
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
    /// - Throws: ``DriverLineError`` with what is wrong.
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
                    description: "a state has no time, or a number that cannot be: \(Self.shown(line))"
                )
            }
            self = .state(t: t, state)
        } else if let id = read.id {
            self = .answer(id: id, refusal: read.cannot)
        } else {
            throw DriverLineError(description: "a line says nothing: \(Self.shown(line))")
        }
    }

    private static func hello(_ version: Int, _ line: Line) throws(DriverLineError) -> DriverHello {
        guard version == DriverHello.version else {
            throw DriverLineError(
                description: "the driver speaks version \(version) of the protocol, and not \(DriverHello.version)"
            )
        }
        guard let player = line.player, !player.isEmpty, let clock = line.clock, isSane(clock) else {
            throw DriverLineError(description: "the driver's first line has no player, or no clock")
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
            // A driver's clock begins anywhere, and a log's time does not.
            guard case .text(let kind) = fields["kind"] else { return .unknown("") }
            return try LoggedCase.event(fields, kind, times: -greatest...greatest).map { .event($0) } ?? .unknown(kind)
        } catch let failure as LineFailure {
            throw DriverLineError(description: "a line \(failure.reason): \(shown(line))")
        } catch {
            throw DriverLineError(description: "a line is no event: \(shown(line))")
        }
    }

    private static func isSane(_ number: Double) -> Bool { number.magnitude <= greatest }

    private static func shown(_ line: Data) -> String { String(decoding: line.prefix(120), as: UTF8.self) }
}
