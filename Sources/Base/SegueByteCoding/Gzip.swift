internal import CSegueLibZ

/// The gzip format (RFC 1952), with equal output for equal input: no name and no time.
package enum Gzip {
    /// An error of zlib.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The zlib function that failed.
        package let call: String

        package let code: Int32

        package var description: String { "\(call) failed with code \(code)" }
    }

    /// A window of 32 KiB, which every reader supports, and 16 for a gzip header.
    private static let windowBits: Int32 = 15 + 16

    /// Compresses bytes.
    ///
    /// - Parameter bytes: Any bytes, all in memory: playlists and documents, not media.
    /// - Returns: One gzip member.
    /// - Throws: ``Failure`` if zlib runs out of memory.
    package static func compress(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        // The expansion of the macro deflateInit2, which Swift does not import.
        let begun = deflateInit2_(
            &stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            windowBits,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard begun == Z_OK else { throw Failure(call: "deflateInit2", code: begun) }
        defer { deflateEnd(&stream) }
        // With room for the worst case, one call is enough.
        let bound = Int(deflateBound(&stream, uLong(bytes.count)))
        var ended = Z_OK
        var input = bytes
        let packed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                ended = deflate(&stream, Z_FINISH)
            }
            count = bound - Int(stream.avail_out)
        }
        guard ended == Z_STREAM_END else { throw Failure(call: "deflate", code: ended) }
        return packed
    }

    /// Decompresses one or several gzip members.
    ///
    /// - Parameters:
    ///   - most: The maximum size of the result.
    /// - Returns: The decompressed bytes.
    /// - Throws: ``Failure`` for bytes in another format, truncated ones, or a larger result.
    package static func expand(_ bytes: [UInt8], most: Int) throws(Failure) -> [UInt8] {
        let (result, code) = try inflated(bytes, windowBits, most: most)
        guard code == Z_STREAM_END, result.count <= most else {
            throw Failure(call: "inflate", code: result.count > most ? Z_MEM_ERROR : code)
        }
        return result
    }

    /// Decompresses the beginning of gzip or zlib data (RFC 1950), as far as possible.
    ///
    /// - Parameters:
    ///   - bytes: The compressed bytes, or their beginning.
    ///   - most: The maximum size of the result.
    /// - Returns: The beginning; empty for another format.
    package static func beginning(of bytes: [UInt8], most: Int) -> [UInt8] {
        // 32: zlib detects the format.
        guard let (result, _) = try? inflated(bytes, 15 + 32, most: most) else { return [] }
        return Array(result.prefix(most))
    }

    /// Decompresses bytes, up to a chunk more than `most`; returns zlib's last code as well.
    private static func inflated(
        _ bytes: [UInt8],
        _ windowBits: Int32,
        most: Int
    ) throws(Failure) -> (result: [UInt8], code: Int32) {
        var stream = z_stream()
        let begun = inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { throw Failure(call: "inflateInit2", code: begun) }
        defer { inflateEnd(&stream) }
        var (result, piece): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 64 << 10))
        var input = bytes
        var code = Z_OK
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(clamping: input.count)
            while code == Z_OK || code == Z_STREAM_END, result.count <= most {
                // Members may follow one another (RFC 1952, 2.2).
                if code == Z_STREAM_END, stream.avail_in == 0 || inflateReset(&stream) != Z_OK { break }
                piece.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = uInt(output.count)
                    code = inflate(&stream, Z_NO_FLUSH)
                    result += output.prefix(output.count - Int(stream.avail_out))
                }
            }
        }
        return (result, code)
    }
}
