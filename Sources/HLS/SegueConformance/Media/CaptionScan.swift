internal import SegueContainers

/// The closed captions in SEI messages: channels of CEA-608 and services of CEA-708 (ATSC A/53, part 4, 6.2.3).
struct CaptionScan {
    /// The channels and services with text, as in `INSTREAM-ID`: `CC1` to `CC4`, `SERVICE1` to `SERVICE63`.
    private(set) var channels: Set<String> = []
    /// The current channel of each field of CEA-608.
    private var current: [Int?] = [nil, nil]
    private var packet: [UInt8] = []
    private var packetSize = 0

    /// Reads an SEI unit.
    mutating func read(_ unit: ArraySlice<UInt8>, isHEVC: Bool) {
        for message in Self.messages(unit, isHEVC: isHEVC) where message.type == 4 { readUserData(message.content) }
    }

    /// The messages of an SEI unit with their payload types.
    static func messages(_ unit: ArraySlice<UInt8>, isHEVC: Bool) -> [(type: Int, content: ArraySlice<UInt8>)] {
        var bytes = unescaped(unit.dropFirst(isHEVC ? 2 : 1))[...]
        var found: [(type: Int, content: ArraySlice<UInt8>)] = []
        while bytes.count > 2, let type = number(&bytes), let size = number(&bytes), size <= bytes.count {
            found.append((type, bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
        }
        return found
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (result, zeros) = ([UInt8](), 0)
        for byte in bytes.prefix(4096) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var value = 0
        while let byte = bytes.popFirst() {
            value += Int(byte)
            if byte != 0xFF { return value }
        }
        return nil
    }

    private mutating func readUserData(_ bytes: ArraySlice<UInt8>) {
        // Country 0xB5 (USA), provider 0x0031 (ATSC), GA94, type 3 (cc_data).
        guard bytes.starts(with: [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]) else { return }
        var reader = ByteReader(bytes.dropFirst(8))
        guard let flags = reader.byte(), flags & 0x40 != 0, reader.skip(1) else { return }
        for _ in 0..<(flags & 31) {
            guard let head = reader.byte(), let first = reader.byte(), let second = reader.byte() else { return }
            guard head & 4 != 0 else { continue }
            let kind = Int(head & 3)
            if kind < 2 {
                readPair(UInt8(first & 0x7F), UInt8(second & 0x7F), field: kind)
            } else {
                readServices(UInt8(first), UInt8(second), startsPacket: kind == 3)
            }
        }
    }

    /// Reads two bytes of CEA-608 without parity.
    private mutating func readPair(_ first: UInt8, _ second: UInt8, field: Int) {
        guard first != 0 || second != 0 else { return }
        if first >= 0x20 {
            if let channel = current[field] { channels.insert("CC\(channel)") }
        } else if first >= 0x10 {
            // Text Restart and Resume Text Display start a text service.
            let isText = first & 0xF6 == 0x14 && (second == 0x2A || second == 0x2B)
            current[field] = isText ? nil : 2 * field + (first & 8 != 0 ? 2 : 1)
        } else {
            // Extended data services, which are no captions.
            current[field] = nil
        }
    }

    /// Reads two bytes of a CEA-708 packet.
    private mutating func readServices(_ first: UInt8, _ second: UInt8, startsPacket: Bool) {
        if startsPacket {
            packetSize = first & 63 == 0 ? 128 : Int(first & 63) * 2
            packet = []
            packet.append(second)
        } else if packetSize > 0 {
            packet += [first, second]
        }
        guard packetSize > 0, packet.count >= packetSize - 1 else { return }
        var blocks = packet.prefix(packetSize - 1)
        packetSize = 0
        while let head = blocks.popFirst() {
            var service = Int(head >> 5)
            let size = Int(head & 31)
            guard service != 0 else { return }
            if service == 7 {
                guard let extended = blocks.popFirst() else { return }
                service = Int(extended & 63)
            }
            guard service > 0, size <= blocks.count else { return }
            if Self.hasText(blocks.prefix(size)) { channels.insert("SERVICE\(service)") }
            blocks = blocks.dropFirst(size)
        }
    }

    /// Returns true if a service block has characters beside its commands (CEA-708, 7 and 8).
    private static func hasText(_ block: ArraySlice<UInt8>) -> Bool {
        var codes = block
        while let code = codes.popFirst() {
            switch code {
            case 0x21...0x7F, 0xA0...0xFF: return true
            case 0x10...0x17, 0x88...0x8D: codes = codes.dropFirst(1)
            case 0x18...0x1F, 0x90, 0x92: codes = codes.dropFirst(2)
            case 0x91: codes = codes.dropFirst(3)
            case 0x97: codes = codes.dropFirst(4)
            case 0x98...0x9F: codes = codes.dropFirst(6)
            default: break
            }
        }
        return false
    }
}
