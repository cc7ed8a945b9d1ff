extension HarnessFields {
    /// An error about a key that is not there: that another one is misspelled, where there is one, is the likelier cause.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keys: Every key that the mapping may have.
    /// - Returns: The error.
    package func missing(_ key: String, among keys: [String]) -> HarnessError {
        var rest = self
        for known in keys { _ = try? rest.text(known) }
        do {
            try rest.finish()
            return error(key, "is missing")
        } catch {
            return error
        }
    }
}
