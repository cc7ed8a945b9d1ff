/// The UPnP service ConnectionManager:1, which lists the protocols of a server; HTTP has no connections to manage.
package enum ConnectionManager {
    package static let type = "urn:schemas-upnp-org:service:ConnectionManager:1"

    /// Responds to a call.
    ///
    /// - Parameters:
    ///   - sources: The supported protocols, comma-separated.
    /// - Returns: The results.
    /// - Throws: ``SOAPFault``, with 706 for an unknown connection.
    package static func respond(to call: SOAPCall, sources: String) throws(SOAPFault) -> SOAPResponse {
        switch call.action {
        case "GetProtocolInfo": return SOAPResponse([("Source", sources), ("Sink", "")])
        case "GetCurrentConnectionIDs": return SOAPResponse([("ConnectionIDs", "0")])
        case "GetCurrentConnectionInfo":
            guard try call.number("ConnectionID") == 0 else {
                throw SOAPFault(code: 706, description: "Invalid connection reference")
            }
            return SOAPResponse([
                ("RcsID", "-1"), ("AVTransportID", "-1"), ("ProtocolInfo", ""), ("PeerConnectionManager", ""),
                ("PeerConnectionID", "-1"), ("Direction", "Output"), ("Status", "OK"),
            ])
        default: throw .invalidAction
        }
    }

    package static let description = ServiceDescription(
        actions: [
            .init(name: "GetProtocolInfo", gives: [("Source", "SourceProtocolInfo"), ("Sink", "SinkProtocolInfo")]),
            .init(name: "GetCurrentConnectionIDs", gives: [("ConnectionIDs", "CurrentConnectionIDs")]),
            .init(
                name: "GetCurrentConnectionInfo",
                takes: [("ConnectionID", "A_ARG_TYPE_ConnectionID")],
                gives: [
                    ("RcsID", "A_ARG_TYPE_RcsID"), ("AVTransportID", "A_ARG_TYPE_AVTransportID"),
                    ("ProtocolInfo", "A_ARG_TYPE_ProtocolInfo"),
                    ("PeerConnectionManager", "A_ARG_TYPE_ConnectionManager"),
                    ("PeerConnectionID", "A_ARG_TYPE_ConnectionID"), ("Direction", "A_ARG_TYPE_Direction"),
                    ("Status", "A_ARG_TYPE_ConnectionStatus"),
                ]
            ),
        ],
        variables: [
            .init(name: "SourceProtocolInfo", isEvented: true), .init(name: "SinkProtocolInfo", isEvented: true),
            .init(name: "CurrentConnectionIDs", isEvented: true),
            .init(
                name: "A_ARG_TYPE_ConnectionStatus",
                allowed: ["OK", "ContentFormatMismatch", "InsufficientBandwidth", "UnreliableChannel", "Unknown"]
            ),
            .init(name: "A_ARG_TYPE_ConnectionManager"),
            .init(name: "A_ARG_TYPE_Direction", allowed: ["Input", "Output"]),
            .init(name: "A_ARG_TYPE_ProtocolInfo"), .init(name: "A_ARG_TYPE_ConnectionID", type: "i4"),
            .init(name: "A_ARG_TYPE_AVTransportID", type: "i4"), .init(name: "A_ARG_TYPE_RcsID", type: "i4"),
        ]
    )
}
