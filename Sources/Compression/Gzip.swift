internal import CLibZ

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
}
