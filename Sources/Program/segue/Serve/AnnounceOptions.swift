import ArgumentParser
import Foundation
import SegueAccess
import SegueDiscovery
import SegueOrigin

/// The options for announcing a server on the network.
struct AnnounceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The name of the server in lists. (default: Segue on HOST)",
            valueName: "name"
        )
    )
    var name: String?

    @Flag(help: "Do not announce the server on the network.")
    var noAnnounce = false

    @Flag(
        inversion: .prefixedNo,
        help: "Whether televisions and other UPnP players can list and play items; they do not support keys."
    )
    var dlna: Bool?

    func validate() throws {
        guard let name else { return }
        if ServiceName.fitted(name) != name || name.allSatisfy(\.isWhitespace) {
            throw ValidationError("--name must have 1 to 63 bytes and no control characters")
        }
    }

    /// The name that people see.
    var shownName: String { name ?? ServiceName.usual(host: ProcessInfo.processInfo.hostName) }

    /// Returns whether the server is announced: other machines must be able to reach it.
    func isWanted(listeningOn host: String) -> Bool { !noAnnounce && HostName(host)?.isLoopback != true }

    /// Returns whether televisions are served.
    ///
    /// They support neither logins nor TLS, so a server with a key needs --dlna.
    func servesTelevisions(_ access: NetworkAccess, listeningOn host: String) -> Bool {
        isWanted(listeningOn: host) && !access.usesTLS && dlna ?? !access.needsKey
    }

    /// The access control for the announcement, with a new key if televisions need one.
    func network(_ access: AccessOptions, listeningOn host: String) -> NetworkAccess {
        var network = NetworkAccess(needsKey: access.needsKey(listeningOn: host), usesTLS: access.tls != nil)
        if network.needsKey, servesTelevisions(network, listeningOn: host) { network.televisionKey = .make() }
        return network
    }

    /// A hint about televisions; nil if none is needed.
    func televisionLine(_ access: NetworkAccess) -> String? {
        switch (dlna, access.needsKey, access.usesTLS) {
        case (true, _, true):
            "--dlna: televisions do not support TLS; run a second server without TLS for them"
        case (true, true, false): "--dlna: everyone in this network can list and play all items without a key"
        case (nil, true, false):
            "televisions are not served, since they do not support keys; --dlna allows access without a key in this network"
        default: nil
        }
    }
}

/// The access control of a server, as far as its announcement needs it.
struct NetworkAccess {
    var needsKey = false
    var usesTLS = false
    /// The key for televisions, which is new at each start; nil if they need none.
    var televisionKey: AccessKey?

    /// The path prefix for televisions.
    var televisionMount: String { televisionKey.map { "/k/\($0.text)" } ?? "" }
}
