extension HarnessFields {
    /// Creates the error for a missing key; if an unknown key is present, a misspelling is the likelier cause.
    ///
    /// - Parameters:
    ///   - keys: All valid keys of the mapping.
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
