/// A device in SSDP: its announcements and its responses to searches.
package struct SSDPDevice: Sendable, Equatable {
    package var uuid: String
    /// The value of `SERVER` fields.
    package var product: String
    /// The part of its description's URL after the host: port and path.
    package var portAndPath: String
    /// The time for which an announcement is valid, in seconds.
    package var maxAge: Int
    /// A number that increases with each start (UPnP Device Architecture 1.1, section 1.2.2).
    package var bootID: UInt32

    /// Creates a device; by default announcements are valid for half an hour, the minimum.
    package init(uuid: String, product: String, portAndPath: String, maxAge: Int = 1800, bootID: UInt32) {
        (self.uuid, self.product, self.portAndPath) = (uuid, product, portAndPath)
        (self.maxAge, self.bootID) = (maxAge, bootID)
    }

    /// The multicast group of SSDP.
    package static let group = "239.255.255.250"
    package static let port: UInt16 = 1900

    /// The search targets, each with its unique service name.
    package var targets: [(type: String, name: String)] {
        [("upnp:rootdevice", "uuid:\(uuid)::upnp:rootdevice"), ("uuid:\(uuid)", "uuid:\(uuid)")]
            + [DeviceDescription.type, ContentDirectory.type, ConnectionManager.type].map {
                ($0, "uuid:\(uuid)::\($0)")
            }
    }

    /// The announcements for a link.
    ///
    /// - Parameter host: This machine's address on the link.
    /// - Returns: The messages.
    package func alive(from host: String) -> [SSDPMessage] {
        targets.map { target in
            SSDPMessage(
                .notice,
                [
                    ("HOST", "\(Self.group):\(Self.port)"), ("CACHE-CONTROL", "max-age=\(maxAge)"),
                    ("LOCATION", "http://\(host)\(portAndPath)"), ("NT", target.type), ("NTS", "ssdp:alive"),
                    ("SERVER", product), ("USN", target.name), ("BOOTID.UPNP.ORG", "\(bootID)"),
                    ("CONFIGID.UPNP.ORG", "1"),
                ]
            )
        }
    }

    package var farewell: [SSDPMessage] {
        targets.map { target in
            SSDPMessage(
                .notice,
                [
                    ("HOST", "\(Self.group):\(Self.port)"), ("NT", target.type), ("NTS", "ssdp:byebye"),
                    ("USN", target.name), ("BOOTID.UPNP.ORG", "\(bootID)"), ("CONFIGID.UPNP.ORG", "1"),
                ]
            )
        }
    }

    /// Returns the responses to a search, one for each matching target.
    ///
    /// - Parameters:
    ///   - host: This machine's address on the link of the search.
    /// - Returns: The responses, and the seconds within which they are sent at random times.
    package func answers(to message: SSDPMessage, from host: String) -> (messages: [SSDPMessage], within: Int) {
        guard message.kind == .search, message.field("MAN") == "\"ssdp:discover\"",
            let wait = message.field("MX").flatMap({ Int($0) }), wait >= 0, let wanted = message.field("ST")
        else { return ([], 0) }
        let found = targets.filter { wanted == "ssdp:all" || wanted == $0.type }
        let messages = found.map { target in
            SSDPMessage(
                .answer,
                [
                    ("CACHE-CONTROL", "max-age=\(maxAge)"), ("EXT", ""), ("LOCATION", "http://\(host)\(portAndPath)"),
                    ("SERVER", product), ("ST", target.type), ("USN", target.name),
                    ("BOOTID.UPNP.ORG", "\(bootID)"), ("CONFIGID.UPNP.ORG", "1"),
                ]
            )
        }
        return (messages, min(wait, 5))
    }

    /// A search for media servers.
    package static func search(within seconds: Int) -> SSDPMessage {
        SSDPMessage(
            .search,
            [
                ("HOST", "\(group):\(port)"), ("MAN", "\"ssdp:discover\""), ("MX", "\(seconds)"),
                ("ST", DeviceDescription.type), ("USER-AGENT", "Linux UPnP/1.1 Segue"),
            ]
        )
    }
}
