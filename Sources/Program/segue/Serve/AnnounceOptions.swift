import ArgumentParser
import Foundation
import SegueDiscovery
import SegueOrigin

/// Whether and how a server is told to the network.
struct AnnounceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the server is called in lists of servers, 'Segue on HOST' unless named.",
            valueName: "name"
        )
    )
    var name: String?

    @Flag(help: "Do not tell the network that the server is there.")
    var noAnnounce = false

    @Flag(
        inversion: .prefixedNo,
        help: "Whether televisions and other players of UPnP see what is there; they know no keys."
    )
    var dlna: Bool?

    func validate() throws {
        guard let name else { return }
        if ServiceName.fitted(name) != name || name.allSatisfy(\.isWhitespace) {
            throw ValidationError("--name: a name has 1 to 63 bytes and no control characters")
        }
    }

    /// The name that people see.
    var shownName: String { name ?? ServiceName.usual(host: ProcessInfo.processInfo.hostName) }

    /// Whether a server that listens there is told of: others must be able to reach it.
    func isWanted(listeningOn host: String) -> Bool { !noAnnounce && HostName(host)?.isLoopback != true }

    /// Whether televisions are told of a server, and answered: they know no keys and no TLS, so where others need them
    /// somebody must have said so.
    func servesTelevisions(_ access: NetworkAccess) -> Bool { !access.usesTLS && dlna ?? !access.needsKey }

    /// What somebody should know of televisions; nil where it goes without saying.
    func televisionLine(_ access: NetworkAccess) -> String? {
        switch (dlna, access.needsKey, access.usesTLS) {
        case (true, _, true):
            "--dlna: televisions know no TLS and see nothing; a second server without it can serve them"
        case (true, true, false): "--dlna: everybody in this network can list and play what is served, without a key"
        case (nil, true, false):
            "televisions see nothing, as they know no keys; --dlna lets everybody in this network in"
        default: nil
        }
    }
}

/// How a server lets people in, as far as its network has to know.
struct NetworkAccess {
    /// Whether it asks for a key.
    var needsKey = false
    /// Whether it speaks TLS.
    var usesTLS = false
    /// What stands in addresses before the path for televisions, which know no key of their own, such as `/k/KEY`.
    var televisionMount = ""
}
