/// A device as SSDP tells of it: what it sends, and what it answers to whom.
package struct SSDPDevice: Sendable, Equatable {
    /// Its UUID.
    package var uuid: String
    /// What `SERVER` fields say.
    package var product: String
    /// What its description's address has behind the host: port and path.
    package var portAndPath: String
    /// How long what it says holds, in seconds.
    package var maxAge: Int
    /// What grows each time that it starts (UPnP Device Architecture 1.1, section 1.2.2).
    package var bootID: UInt32

    /// A device; what it says holds for half an hour, the least that is allowed.
    package init(uuid: String, product: String, portAndPath: String, maxAge: Int = 1800, bootID: UInt32) {
        (self.uuid, self.product, self.portAndPath) = (uuid, product, portAndPath)
        (self.maxAge, self.bootID) = (maxAge, bootID)
    }

    /// The group and port of SSDP.
    package static let group = "239.255.255.250"
    /// The port of SSDP.
    package static let port: UInt16 = 1900

    /// What it can be searched for: each type with what names it uniquely.
    package var targets: [(type: String, name: String)] {
        [("upnp:rootdevice", "uuid:\(uuid)::upnp:rootdevice"), ("uuid:\(uuid)", "uuid:\(uuid)")]
            + [DeviceDescription.type, ContentDirectory.type, ConnectionManager.type].map {
                ($0, "uuid:\(uuid)::\($0)")
            }
    }

    /// What it says when it comes, and again before that no longer holds.
    ///
    /// - Parameter host: This machine's address on the link where it is said.
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

    /// What it says when it goes.
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

    /// What it answers to a search: nothing, or a message for each thing that is searched for.
    ///
    /// - Parameters:
    ///   - message: The search.
    ///   - host: This machine's address on the link from where it came.
    /// - Returns: The answers, and within how many seconds they are to be sent, spread by chance.
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

    /// A search for servers of media.
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
