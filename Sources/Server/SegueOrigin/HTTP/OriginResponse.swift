package import HTTPTypes

/// An HTTP response, complete except for `Date`.
package struct OriginResponse: Sendable {
    /// The source of a body's bytes.
    package indirect enum Body: Sendable {
        /// No body: responses to `HEAD`, 204, and 304.
        case empty
        case bytes([UInt8])
        /// A range of bytes that may be evicted until they are sent.
        case found(RefetchableBytes, Range<Int>)
        /// `length` bytes from `offset` of a regular file.
        case file(path: String, offset: Int64, length: Int64)
        /// A range of bytes that are made while they are sent.
        case made(PiecewiseBody, Range<Int64>)
        /// Bytes without a known length.
        case endless(EndlessBody)
        /// Several bodies, one after another.
        case pieces([Body])

        /// The number of bytes that are sent; 0 for an endless body.
        package var length: Int64 {
            switch self {
            case .empty: 0
            case .bytes(let bytes): Int64(bytes.count)
            case .found(_, let range): Int64(range.count)
            case .file(_, _, let length): length
            case .made(_, let range): Int64(range.count)
            case .endless: 0
            case .pieces(let pieces): pieces.reduce(0) { $0 + $1.length }
            }
        }
    }

    /// The status code, 200…599.
    package var status: Int

    /// The header fields, with `Content-Length` if the status allows it and the body has a known length.
    package var headers: HTTPFields

    package var body: Body

    /// The time in milliseconds since 1970 at which a blocking reload is due, or nil for any other response.
    ///
    /// The server repeats the request then, and occupies no thread in the meantime. A caller that cannot wait, or has
    /// waited for long, sends this response.
    package var blockedUntil: Int64?

    /// The failure that the response reports; nil for any other response.
    var failure: OriginFailure?

    package init(status: Int, headers: HTTPFields, body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
