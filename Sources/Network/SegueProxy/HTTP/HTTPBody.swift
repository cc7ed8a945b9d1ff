/// The body of an HTTP/1.1 message: its end, and the content among its bytes.
struct HTTPBody {
    private enum State: Equatable {
        case content(left: Int)
        case untilClose
        case chunkSize(Int), chunkExtension(Int), chunk(left: Int), chunkEnd, trailer(isEmpty: Bool)
        case ended
    }

    private static let greatestChunk = 1 << 56

    private var state: State

    static func length(_ bytes: Int) -> HTTPBody { HTTPBody(state: bytes > 0 ? .content(left: bytes) : .ended) }

    static let chunked = HTTPBody(state: .chunkSize(0))

    static let untilClose = HTTPBody(state: .untilClose)

    var hasEnded: Bool { state == .ended }

    var endsWithConnection: Bool { state == .untilClose }

    /// Consumes bytes of one kind from the front.
    ///
    /// - Parameter bytes: The input, not empty, for a body that has not ended.
    /// - Returns: The number of consumed bytes, and whether they are content or framing.
    mutating func take(_ bytes: some Collection<UInt8>) -> (count: Int, isContent: Bool) {
        switch state {
        case .ended: return (0, false)
        case .untilClose: return (bytes.count, true)
        case .content(let left):
            let count = min(left, bytes.count)
            state = count == left ? .ended : .content(left: left - count)
            return (count, true)
        case .chunk(let left):
            let count = min(left, bytes.count)
            state = count == left ? .chunkEnd : .chunk(left: left - count)
            return (count, true)
        default:
            for (index, byte) in bytes.enumerated() {
                frame(byte)
                switch state {
                case .chunk, .ended: return (index + 1, false)
                default: break
                }
            }
            return (bytes.count, false)
        }
    }

    /// Consumes a byte of framing.
    private mutating func frame(_ byte: UInt8) {
        let isLineEnd = byte == UInt8(ascii: "\n")
        switch state {
        case .chunkSize(let size):
            if isLineEnd {
                state = size > 0 ? .chunk(left: size) : .trailer(isEmpty: true)
            } else if let digit = Self.hexadecimal(byte) {
                // No real chunk is larger; one that claims to be does not end.
                state = .chunkSize(size < Self.greatestChunk ? size * 16 + digit : size)
            } else if byte != UInt8(ascii: "\r") {
                state = .chunkExtension(size)
            }
        case .chunkExtension(let size):
            if isLineEnd { state = size > 0 ? .chunk(left: size) : .trailer(isEmpty: true) }
        case .chunkEnd: if isLineEnd { state = .chunkSize(0) }
        case .trailer(let isEmpty):
            if isLineEnd {
                state = isEmpty ? .ended : .trailer(isEmpty: true)
            } else if byte != UInt8(ascii: "\r") {
                state = .trailer(isEmpty: false)
            }
        default: break
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
