/// The socket of a forward proxy's client, with the unprocessed input and the proxy's own output.
struct ClientStream {
    /// The maximum number of buffered input bytes.
    private static let inputLimit = 64 << 10

    var socket: ProxiedSocket
    var input: [UInt8] = []
    private(set) var inputEnded = false
    private(set) var output: [UInt8] = []

    init(_ descriptor: Int32) { socket = ProxiedSocket(descriptor) }

    /// True if the input has ended, and all of it is processed.
    var isOver: Bool { inputEnded && input.isEmpty }

    var isFull: Bool { input.count >= Self.inputLimit }

    /// Reads bytes up to the limit.
    ///
    /// - Returns: True if the connection is intact.
    mutating func fill() -> Bool {
        while socket.mayRead, !inputEnded, !isFull {
            var outcome = ProxiedSocket.Outcome.notNow
            let piece = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
                outcome = socket.read(into: UnsafeMutableRawBufferPointer(buffer))
                if case .moved(let moved) = outcome { count = moved }
            }
            switch outcome {
            case .moved: input += piece
            case .notNow: break
            case .ended: inputEnded = true
            case .broken: return false
            }
        }
        return true
    }

    /// Adds bytes to the output.
    mutating func say(_ bytes: [UInt8]) { output += bytes }

    /// Writes the output as far as possible.
    ///
    /// - Returns: True if the connection is intact.
    mutating func flush() -> Bool {
        while !output.isEmpty, socket.mayWrite {
            switch output.withUnsafeBytes({ socket.write($0) }) {
            case .moved(let count): output.removeFirst(count)
            case .notNow, .ended: return true
            case .broken: return false
            }
        }
        return true
    }

    /// Moves bytes of a tunnel, from the input first.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> ProxiedSocket.Outcome {
        guard input.isEmpty else { return Self.move(&input, into: buffer, upTo: input.count) }
        return inputEnded ? .ended : socket.read(into: buffer)
    }

    /// Moves bytes from the front of an array, up to a number.
    static func move(
        _ bytes: inout [UInt8],
        into buffer: UnsafeMutableRawBufferPointer,
        upTo most: Int
    ) -> ProxiedSocket.Outcome {
        let count = min(most, buffer.count)
        guard count > 0 else { return .notNow }
        buffer.copyBytes(from: bytes.prefix(count))
        bytes.removeFirst(count)
        return .moved(count)
    }
}
