import ArgumentParser
import SegueServer

extension ForwardingField: ExpressibleByArgument {}

/// The limits of clients, and the access log.
struct FairnessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The maximum number of connections. (default: by the machine's limits)", valueName: "count")
    )
    var connections: Int?

    @Option(
        help: ArgumentHelp(
            "The maximum number of connections per address; a /64 of IPv6 is one address. (default: a quarter of all)",
            valueName: "count"
        )
    )
    var addressConnections: Int?

    @Option(help: ArgumentHelp("The maximum number of concurrent requests per address.", valueName: "count"))
    var addressRequests = AddressAllowance().requests

    @Option(
        help: ArgumentHelp("The maximum rate of requests per second and address, and their burst.", valueName: "count")
    )
    var addressRate = AddressAllowance().rate

    @Option(
        help: ArgumentHelp(
            "The maximum number of concurrent transcodes and other long work per address.",
            valueName: "count"
        )
    )
    var addressEncodings = AddressAllowance().encodings

    @Option(
        help: ArgumentHelp(
            "A reverse proxy, or a range such as 10.0.0.0/8, whose X-Forwarded-For or Forwarded is trusted and "
                + "to which these limits do not apply.",
            valueName: "address"
        ),
        transform: { text in
            guard let range = AddressRange(text) else {
                throw ValidationError("'\(text)' is not an address or a range of addresses")
            }
            return range
        }
    )
    var trustProxy: [AddressRange] = []

    @Option(
        help: ArgumentHelp(
            "The field in which the trusted proxies name the client: x-forwarded-for or forwarded. Without it, "
                + "requests with contradicting fields share the limits of one address.",
            valueName: "field"
        )
    )
    var proxyField: ForwardingField?

    @Option(
        help: ArgumentHelp(
            "The minimum rate in bytes per second, over a minute, at which a client must receive; 0 for none.",
            valueName: "size"
        )
    )
    var minimumRate = ByteCount(1 << 10)

    @Option(
        help: ArgumentHelp(
            "Write an access log to a file in the format of web servers; it is reopened on SIGHUP and "
                + "when it was moved, and contains no keys.",
            valueName: "file"
        ),
        completion: .file()
    )
    var accessLog: String?

    @Flag(help: "Shorten addresses in the access log to their networks (/24 of IPv4, /48 of IPv6).")
    var accessLogPrivate = false

    func validate() throws {
        let numbers = [
            ("connections", connections ?? 1), ("address-connections", addressConnections ?? 1),
            ("address-requests", addressRequests), ("address-rate", addressRate),
            ("address-encodings", addressEncodings),
        ]
        for (name, number) in numbers where !(1...1_000_000).contains(number) {
            throw ValidationError("--\(name) must be from 1 to 1000000")
        }
    }

    /// The limits of each client, with the log.
    ///
    /// `connections` is the total limit of connections. `log` receives a line per request.
    func fairness(amongConnections connections: Int, _ log: AccessLog?) -> OriginServer.Fairness {
        .init(
            allowance: .init(
                connections: addressConnections ?? MachineLimits.connections(byAddressOf: connections),
                requests: addressRequests,
                rate: addressRate,
                burst: addressRate,
                encodings: addressEncodings
            ),
            proxies: TrustedProxies(trustProxy, field: proxyField),
            minimumRate: Int(clamping: minimumRate.bytes),
            log: log
        )
    }

    /// Opens the access log, if there is one.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written.
    func log() throws -> AccessLog? {
        guard let accessLog else { return nil }
        do {
            return try AccessLog(accessLog, isPrivate: accessLogPrivate) { StandardError.write("segue: \($0)\n") }
        } catch {
            throw CommandFailure(error)
        }
    }
}
