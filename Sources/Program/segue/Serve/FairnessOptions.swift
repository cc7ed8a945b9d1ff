import ArgumentParser
import SegueServer

/// What one client may take of a server, and the log of what each has taken.
struct FairnessOptions: ParsableArguments {
    @Option(help: "How many connections there may be; by default as many as the machine carries.")
    var connections: Int?

    @Option(help: "How many of them one address may have, a quarter by default. A /64 of IPv6 counts as one address.")
    var addressConnections: Int?

    @Option(help: "How many requests of one address may be under way.")
    var addressRequests = AddressAllowance().requests

    @Option(help: "How many requests a second one address may make on average, and at once.")
    var addressRate = AddressAllowance().rate

    @Option(help: "How many transcodes, ladders and other long work may be under way for one address.")
    var addressEncodings = AddressAllowance().encodings

    @Option(
        help: ArgumentHelp(
            "A reverse proxy, or a range of them such as 10.0.0.0/8, whose X-Forwarded-For (or Forwarded) is believed and "
                + "to whom these limits do not apply.",
            valueName: "address"
        ),
        transform: { text in
            guard let range = AddressRange(text) else {
                throw ValidationError("'\(text)' is no address and no range of addresses")
            }
            return range
        }
    )
    var trustProxy: [AddressRange] = []

    @Option(
        help: ArgumentHelp(
            "Bytes a second that a client takes at the least while more wait for it, over a minute; 0 for any.",
            valueName: "size"
        )
    )
    var minimumRate = ByteCount(1 << 10)

    @Option(
        help: ArgumentHelp(
            "A file for a line on each request when it has ended, as web servers write them; opened anew on SIGHUP and "
                + "when it was moved. Keys are never in it.",
            valueName: "file"
        ),
        completion: .file()
    )
    var accessLog: String?

    @Flag(help: "Cut the addresses in the access log to those of their networks (/24 of IPv4, /48 of IPv6).")
    var accessLogPrivate = false

    func validate() throws {
        let numbers = [
            ("connections", connections ?? 1), ("address-connections", addressConnections ?? 1),
            ("address-requests", addressRequests), ("address-rate", addressRate),
            ("address-encodings", addressEncodings),
        ]
        for (name, number) in numbers where !(1...1_000_000).contains(number) {
            throw ValidationError("--\(name) takes a number from 1 to 1000000")
        }
    }

    /// What each client may, and the log that is begun.
    ///
    /// - Parameters:
    ///   - connections: How many there may be in all.
    ///   - log: Where each request is told of.
    /// - Returns: What the server is to be told.
    func fairness(amongConnections connections: Int, _ log: AccessLog?) -> OriginServer.Fairness {
        .init(
            allowance: .init(
                connections: addressConnections ?? MachineLimits.connections(byAddressOf: connections),
                requests: addressRequests,
                rate: addressRate,
                burst: addressRate,
                encodings: addressEncodings
            ),
            trusted: trustProxy,
            minimumRate: Int(clamping: minimumRate.bytes),
            log: log
        )
    }

    /// Begins the log of requests, where there is to be one.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be written.
    func log() throws -> AccessLog? {
        guard let accessLog else { return nil }
        do {
            return try AccessLog(accessLog, isPrivate: accessLogPrivate) { StandardError.write("segue: \($0)\n") }
        } catch {
            throw CommandFailure(error)
        }
    }
}
