package import SegueBase

extension RetryAfter {
    /// Returns the delay that a response asks for; nil without one.
    ///
    /// - Parameter headers: The header fields, with names in lower case.
    package static func delay(in headers: [(name: String, value: String)]) -> Duration? {
        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        return duration(header("retry-after"), date: header("date"))
    }
}
