/// A request and its response: a line of a recording.
package struct RecordedExchange: Codable, Sendable, Equatable {
    package struct Field: Codable, Sendable, Equatable {
        package var name: String
        package var value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// A byte range.
    package struct Span: Codable, Sendable, Equatable {
        /// The first byte, from 0.
        package var offset: Int64
        /// The number of bytes, from 1.
        package var length: Int64

        package init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }
    }

    /// The time of the request, in seconds since the recording began.
    package var at: Double

    /// `GET` or `HEAD`.
    package var method: String

    /// The absolute URL.
    package var url: String

    /// The requested range; nil for the whole resource.
    package var range: Span?

    /// The HTTP status.
    package var status: Int

    /// The URL after redirects; nil without redirects.
    package var redirectedTo: String?

    /// The header fields of the response.
    package var headers: [Field]

    /// The name of the file with the body; nil for an empty body.
    package var body: String?

    /// The size of the body.
    package var bytes = 0

    /// The time to the end of the response, in seconds; nil if it was not recorded.
    package var took: Double?

    /// The failure of the request; nil for none.
    package var failure: String?

    /// The number of times that the request was sent on a kept connection; nil for none.
    package var kept: Int?

    /// The number of those whose connection ended without a response; nil for none.
    package var lost: Int?

    /// The wall-clock time at the beginning of the recording, in seconds since 1970; at most one exchange has it.
    package var clock: Double?

    /// Creates an exchange without a body; its other properties can be set afterwards.
    package init(
        at: Double,
        method: String = "GET",
        url: String,
        range: Span? = nil,
        status: Int,
        headers: [Field] = []
    ) {
        (self.at, self.method, self.url, self.range) = (at, method, url, range)
        (self.status, self.headers) = (status, headers)
    }
}
