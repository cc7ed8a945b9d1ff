internal import SegueBase

/// The delay that a server requests with `Retry-After`.
package enum RetryAfter {
    /// Returns the delay in a response: a number of seconds, or a date relative to the server's own; nil without one.
    ///
    /// - Parameter headers: The header fields, with names in lower case.
    package static func delay(in headers: [(name: String, value: String)]) -> Duration? {
        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        guard let asked = header("retry-after") else { return nil }
        var seconds = Double(asked)
        if let until = HTTPDate.secondsSince1970(asked), let date = header("date").flatMap(HTTPDate.secondsSince1970) {
            seconds = Double(max(0, until - date))
        }
        return seconds.flatMap { (0...1_000_000).contains($0) ? .nanoseconds(Int64($0 * 1e9)) : nil }
    }
}
