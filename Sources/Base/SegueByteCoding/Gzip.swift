internal import CSegueLibZ

/// The gzip format (RFC 1952): the same bytes always become the same bytes, without a name or a time in them.
package enum Gzip {
    /// What zlib refused to do.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The function of zlib that failed.
        package let call: String

        /// Its return code.
        package let code: Int32

        package var description: String { "\(call) failed with \(code)" }
    }

    /// The window of 32 KiB that every reader has, and 16 for a gzip header around it.
    private static let windowBits: Int32 = 15 + 16

    /// Bytes in the gzip format.
    ///
    /// - Parameter bytes: Any bytes, all in memory: playlists and documents, not media.
    /// - Returns: One gzip member.
    /// - Throws: ``Failure`` when zlib gets no memory.
    package static func compress(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        // What the macro deflateInit2 expands to; Swift does not import it.
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
        // With room for the worst case, one call does all.
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

    /// What was packed in the gzip format, one member or several.
    ///
    /// - Parameters:
    ///   - bytes: The packed bytes.
    ///   - most: The most bytes that may come of them.
    /// - Returns: What was packed.
    /// - Throws: ``Failure`` for what is not in the format, is cut off, or becomes more.
    package static func expand(_ bytes: [UInt8], most: Int) throws(Failure) -> [UInt8] {
        let (result, code) = try inflated(bytes, windowBits, most: most)
        guard code == Z_STREAM_END, result.count <= most else {
            throw Failure(call: "inflate", code: result.count > most ? Z_MEM_ERROR : code)
        }
        return result
    }

    /// The beginning of what was packed in the gzip format or in zlib's (RFC 1950), as far as it can be had.
    ///
    /// - Parameters:
    ///   - bytes: The packed bytes, or their beginning.
    ///   - most: How much of it is wanted.
    /// - Returns: What was packed, up to there; empty for what is in neither format.
    package static func beginning(of bytes: [UInt8], most: Int) -> [UInt8] {
        // 32: zlib tells the two apart itself.
        guard let (result, _) = try? inflated(bytes, 15 + 32, most: most) else { return [] }
        return Array(result.prefix(most))
    }

    /// What was packed, with zlib's last code; a piece more than wanted where there is more.
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
                // Members follow one another (RFC 1952, 2.2).
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
