/// A request and what came of it: a line of a recording.
package struct RecordedExchange: Codable, Sendable, Equatable {
    /// A header field.
    package struct Field: Codable, Sendable, Equatable {
        /// Its name, as it was sent.
        package var name: String
        /// Its value.
        package var value: String

        /// A header field.
        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// A part of a resource that was asked for.
    package struct Span: Codable, Sendable, Equatable {
        /// The first byte, from 0.
        package var offset: Int64
        /// How many bytes, from 1.
        package var length: Int64

        /// A part of a resource.
        package init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }
    }

    /// When it was asked for: seconds since the recording began.
    package var at: Double

    /// `GET` or `HEAD`.
    package var method: String

    /// What was asked for, absolute.
    package var url: String

    /// The part of it that was asked for; nil for the whole.
    package var range: Span?

    /// The HTTP status.
    package var status: Int

    /// Where the answer came from, where redirects led elsewhere.
    package var redirectedTo: String?

    /// The header fields of the answer.
    package var headers: [Field]

    /// The name of the file with the body; nil for an empty one.
    package var body: String?

    /// How many bytes the body has.
    package var bytes: Int

    /// How long it took until all was there, in seconds; nil where that was not noted.
    package var took: Double?

    /// Why there was no whole answer; nil where there was one, or that was not noted.
    package var failure: String?

    /// What a clock showed when the recording began, in seconds since 1970; in one exchange at the most.
    package var clock: Double?

    /// An exchange.
    package init(
        at: Double,
        method: String = "GET",
        url: String,
        range: Span? = nil,
        status: Int,
        redirectedTo: String? = nil,
        headers: [Field] = [],
        body: String? = nil,
        bytes: Int = 0
    ) {
        (self.at, self.method, self.url, self.range) = (at, method, url, range)
        (self.status, self.redirectedTo, self.headers) = (status, redirectedTo, headers)
        (self.body, self.bytes) = (body, bytes)
    }
}
