internal import CLibZ

/// Unpacks one gzip member.
///
/// - Parameter bytes: What should be one whole gzip member and nothing else.
/// - Returns: What was packed; nil for anything else, and for more than 16 MiB.
package func gunzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    var ended = Z_OK
    let limit = 16 << 20
    let unpacked = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = uInt(limit)
            ended = inflate(&stream, Z_FINISH)
        }
        count = limit - Int(stream.avail_out)
    }
    return ended == Z_STREAM_END && stream.avail_in == 0 ? unpacked : nil
}
