/// The header field Retry-After (RFC 9110, 10.2.3).
package enum RetryAfter {
    /// Returns the time that a response asks for: a number of seconds, or a date relative to the server's own.
    ///
    /// - Parameters:
    ///   - value: The field; nil without one.
    ///   - date: The field Date of the same response.
    package static func duration(_ value: String?, date: String?) -> Duration? {
        guard let value else { return nil }
        var seconds = Double(value)
        if let until = HTTPDate.secondsSince1970(value), let now = date.flatMap(HTTPDate.secondsSince1970) {
            seconds = Double(max(0, until - now))
        }
        return seconds.flatMap { (0...1_000_000).contains($0) ? .nanoseconds(Int64($0 * 1e9)) : nil }
    }
}
