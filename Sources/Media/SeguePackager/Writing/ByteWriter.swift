/// A writer into preallocated memory.
struct ByteWriter {
    private let memory: UnsafeMutableRawBufferPointer
    /// The number of bytes written.
    private(set) var count = 0

    /// Returns the bytes that `write` writes, at most `capacity`.
    static func bytes(capacity: Int, _ write: (inout ByteWriter) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var writer = ByteWriter(memory: UnsafeMutableRawBufferPointer(buffer))
            write(&writer)
            count = writer.count
        }
    }

    private init(memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// Appends contiguous bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= memory.count - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + bytes.count]).copyMemory(from: bytes)
        count += bytes.count
    }

    /// Appends an array.
    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Appends bytes in pieces of 184, each preceded by a 32-bit number.
    mutating func append(_ bytes: UnsafeRawBufferPointer, inPieces pieces: Int, head: (Int) -> UInt32) {
        let size = TransportPackets.room
        precondition(size == 184 && pieces * size <= bytes.count && pieces * (size + 4) <= memory.count - count)
        guard pieces > 0, var target = memory.baseAddress.map({ $0 + count }), var source = bytes.baseAddress else {
            return
        }
        for piece in 0..<pieces {
            target.storeBytes(of: head(piece).bigEndian, as: UInt32.self)
            // Copies inline in the largest units.
            for part in 0..<2 {
                let vector = source.loadUnaligned(fromByteOffset: 64 * part, as: SIMD64<UInt8>.self)
                target.storeBytes(of: vector, toByteOffset: 4 + 64 * part, as: SIMD64<UInt8>.self)
            }
            let third = source.loadUnaligned(fromByteOffset: 128, as: SIMD32<UInt8>.self)
            target.storeBytes(of: third, toByteOffset: 4 + 128, as: SIMD32<UInt8>.self)
            let fourth = source.loadUnaligned(fromByteOffset: 160, as: SIMD16<UInt8>.self)
            target.storeBytes(of: fourth, toByteOffset: 4 + 160, as: SIMD16<UInt8>.self)
            let last = source.loadUnaligned(fromByteOffset: 176, as: UInt64.self)
            target.storeBytes(of: last, toByteOffset: 4 + 176, as: UInt64.self)
            target += size + 4
            source += size
        }
        count += pieces * (size + 4)
    }

    mutating func append(_ byte: UInt8) {
        precondition(count < memory.count)
        memory[count] = byte
        count += 1
    }

    mutating func append(repeating byte: UInt8, count times: Int) {
        guard times > 0 else { return }
        precondition(times <= memory.count - count)
        memory[count..<count + times].initializeMemory(as: UInt8.self, repeating: byte)
        count += times
    }

    /// Appends a big-endian number.
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { append($0) }
    }

    /// Appends a box name.
    mutating func append(name: StaticString) {
        append(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}
