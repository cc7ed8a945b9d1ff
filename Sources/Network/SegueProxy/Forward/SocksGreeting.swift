/// The SOCKS 5 handshake of a client (RFC 1928), without authentication.
package struct SocksGreeting: Sendable {
    /// The next step.
    package enum Step: Sendable, Equatable {
        /// More bytes are needed.
        case more
        /// Send bytes and continue.
        case reply([UInt8])
        /// Connect to a server, and send the result with ``SocksGreeting/answer(_:)``.
        case tunnel(Endpoint)
        /// Send bytes and close, with a message.
        case refuse([UInt8], String)
    }

    /// The result of a request (RFC 1928, section 6).
    package enum Answer: UInt8, Sendable {
        case established = 0, failed = 1, notAllowed = 2, hostUnreachable = 4, refused = 5, noSuchCommand = 7
        case noSuchAddressType = 8
    }

    private var hasChosen = false

    package init() {}

    /// Parses the next bytes.
    ///
    /// - Parameter bytes: The input; parsed bytes are removed from the front.
    /// - Returns: The next step.
    package mutating func next(_ bytes: inout [UInt8]) -> Step {
        guard bytes.count >= 2 else { return .more }
        guard bytes[0] == 5 else { return .refuse([], "the client does not use SOCKS 5") }
        guard hasChosen else {
            let end = 2 + Int(bytes[1])
            guard bytes.count >= end else { return .more }
            let isOpen = bytes[2..<end].contains(0)
            bytes.removeFirst(end)
            hasChosen = true
            return isOpen
                ? .reply([5, 0])
                : .refuse([5, 0xFF], "the client requires authentication, which this proxy does not support")
        }
        guard bytes.count >= 5 else { return .more }
        let size: Int
        switch bytes[3] {
        case 1: size = 4
        case 3: size = 1 + Int(bytes[4])
        case 4: size = 16
        default: return .refuse(Self.answer(.noSuchAddressType), "the client uses an unknown address type")
        }
        guard bytes.count >= 4 + size + 2 else { return .more }
        let (command, kind, address) = (bytes[1], bytes[3], Array(bytes[4..<4 + size]))
        let server = Endpoint(
            host: Self.host(kind, address),
            port: Int(bytes[4 + size]) << 8 | Int(bytes[5 + size])
        )
        bytes.removeFirst(4 + size + 2)
        guard command == 1 else {
            return .refuse(Self.answer(.noSuchCommand), "the client sends a command other than CONNECT")
        }
        guard ForwardRequest.isNamed(server) else {
            return .refuse(Self.answer(.failed), "the client names no valid server")
        }
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

    /// The response to a request; its address has no meaning.
    package static func answer(_ answer: Answer) -> [UInt8] { [5, answer.rawValue, 0, 1, 0, 0, 0, 0, 0, 0] }
}
