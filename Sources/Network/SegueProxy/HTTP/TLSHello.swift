/// The server name in the first message of a TLS client (RFC 8446, section 4.1.2; RFC 6066, section 3).
struct TLSHello {
    /// The result of parsing the first bytes of a connection.
    enum Found: Equatable {
        /// More bytes are needed.
        case incomplete
        /// TLS, with the server's name; empty without a name.
        case name(String)
        /// A protocol other than TLS.
        case none
    }

    /// The maximum size of the message, whose record holds up to 16 KiB.
    private static let limit = 18 << 10

    private var bytes: [UInt8] = []

    /// Adds the first bytes of a connection.
    mutating func take(_ more: UnsafeRawBufferPointer) -> Found {
        if bytes.isEmpty {
            // A handshake record of version 3.x.
            guard let first = more.first else { return .incomplete }
            guard first == 22, more.count < 2 || more[1] == 3 else { return .none }
        }
        bytes.append(contentsOf: more.prefix(Self.limit - bytes.count))
        guard let record = Fields(bytes[...]).skipping(3).taking(length: 2) else {
            return bytes.count < Self.limit ? .incomplete : .name("")
        }
        return .name(Self.name(in: record) ?? "")
    }

    private static func name(in record: Fields) -> String? {
        // The message's type and length; then version, random, session, ciphers, compression, and extensions.
        guard let session = record.skipping(4 + 2 + 32).split(length: 1), let ciphers = session.rest.split(length: 2),
            let compression = ciphers.rest.split(length: 1), var left = compression.rest.taking(length: 2)
        else { return nil }
        while let type = left.number(2), let (content, rest) = left.skipping(2).split(length: 2) {
            if type == 0 {
                guard let name = content.taking(length: 2)?.skipping(1).taking(length: 2) else { return nil }
                return name.bytes.allSatisfy { (0x21...0x7E).contains($0) }
                    ? String(decoding: name.bytes, as: UTF8.self) : nil
            }
            left = rest
        }
        return nil
    }

    /// A reader of length-prefixed fields.
    private struct Fields {
        let bytes: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

        func skipping(_ count: Int) -> Fields { Fields(bytes.dropFirst(count)) }

        func number(_ size: Int) -> Int? {
            guard bytes.count >= size else { return nil }
            return bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
        }

        /// Splits off a field with a length of `size` bytes.
        func split(length size: Int) -> (field: Fields, rest: Fields)? {
            guard let length = number(size), bytes.count - size >= length else { return nil }
            let content = bytes.dropFirst(size)
            return (Fields(content.prefix(length)), Fields(content.dropFirst(length)))
        }

        func taking(length size: Int) -> Fields? { split(length: size)?.field }
    }
}
