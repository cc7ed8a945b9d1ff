/// What a client of SOCKS 5 says before its own bytes (RFC 1928), without a password.
package struct SocksGreeting: Sendable {
    /// What is to be done.
    package enum Step: Sendable, Equatable {
        /// More has to come.
        case more
        /// Send this, and go on.
        case reply([UInt8])
        /// Connect it to a server, and say with ``SocksGreeting/answer(_:)`` what came of it.
        case tunnel(Endpoint)
        /// Send this, and close: for a reason in words.
        case refuse([UInt8], String)
    }

    /// What came of a request (RFC 1928, section 6).
    package enum Answer: UInt8, Sendable {
        case established = 0, failed = 1, notAllowed = 2, hostUnreachable = 4, refused = 5, noSuchCommand = 7
        case noSuchAddressType = 8
    }

    private var hasChosen = false

    /// A greeting of which nothing was read.
    package init() {}

    /// Takes what comes next.
    ///
    /// - Parameter bytes: What has come; what is understood is removed from its front.
    /// - Returns: What is to be done.
    package mutating func next(_ bytes: inout [UInt8]) -> Step {
        guard bytes.count >= 2 else { return .more }
        guard bytes[0] == 5 else { return .refuse([], "it does not speak SOCKS 5") }
        guard hasChosen else {
            let end = 2 + Int(bytes[1])
            guard bytes.count >= end else { return .more }
            let isOpen = bytes[2..<end].contains(0)
            bytes.removeFirst(end)
            hasChosen = true
            return isOpen
                ? .reply([5, 0]) : .refuse([5, 0xFF], "it wants to name itself, which this proxy does not ask for")
        }
        guard bytes.count >= 5 else { return .more }
        let size: Int
        switch bytes[3] {
        case 1: size = 4
        case 3: size = 1 + Int(bytes[4])
        case 4: size = 16
        default: return .refuse(Self.answer(.noSuchAddressType), "it names a server in an unknown way")
        }
        guard bytes.count >= 4 + size + 2 else { return .more }
        let (command, kind, address) = (bytes[1], bytes[3], Array(bytes[4..<4 + size]))
        let server = Endpoint(
            host: Self.host(kind, address),
            port: Int(bytes[4 + size]) << 8 | Int(bytes[5 + size])
        )
        bytes.removeFirst(4 + size + 2)
        guard command == 1 else {
            return .refuse(Self.answer(.noSuchCommand), "it asks for something else than a connection")
        }
        guard ForwardRequest.isNamed(server) else { return .refuse(Self.answer(.failed), "it names no server") }
        return .tunnel(server)
    }

    private static func host(_ kind: UInt8, _ address: [UInt8]) -> String {
        switch kind {
        case 1: address.map { "\($0)" }.joined(separator: ".")
        case 3: String(decoding: address.dropFirst(), as: UTF8.self)
        default:
            stride(from: 0, to: 16, by: 2).map { String(Int(address[$0]) << 8 | Int(address[$0 + 1]), radix: 16) }
                .joined(separator: ":")
        }
    }

    /// The bytes that tell what came of a request; the address in them is one that means nothing.
    package static func answer(_ answer: Answer) -> [UInt8] { [5, answer.rawValue, 0, 1, 0, 0, 0, 0, 0, 0] }
}
