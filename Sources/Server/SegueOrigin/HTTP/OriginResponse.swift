/// One HTTP response, complete but for what the connection itself adds (`Date`).
package struct OriginResponse: Sendable {
    /// Where the body's bytes are.
    package indirect enum Body: Sendable {
        /// No bytes follow the head: answers to `HEAD`, and 204 and 304.
        case empty
        /// The bytes themselves.
        case bytes([UInt8])
        /// A part of bytes that are found again where they are let go of.
        case found(FoundBytes, Range<Int>)
        /// A part of a regular file: `length` bytes from `offset`. The path opens as it is.
        case file(path: String, offset: Int64, length: Int64)
        /// A part of bytes that are made while they are sent.
        case made(PiecewiseBody, Range<Int64>)
        /// Bytes that go on until the client has gone; it has no length.
        case endless(EndlessBody)
        /// Several of these, one after another.
        case pieces([Body])

        /// How many bytes will be sent.
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

    /// The header fields; `Content-Length` is always among them where the status allows it and the body
    /// has an end.
    package var headers: [(name: String, value: String)]

    /// The body.
    package var body: Body

    /// When there will be another answer, in milliseconds since 1970, for whoever can wait; nil for this one.
    ///
    /// Whoever serves it asks again then, and holds no thread meanwhile. Whoever cannot wait sends this one.
    package var heldUntil: Int64?

    /// A response of the given parts.
    package init(status: Int, headers: [(name: String, value: String)], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the first header field with a name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }
}
