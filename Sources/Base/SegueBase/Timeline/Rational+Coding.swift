extension Rational: Codable {
    /// Reads a fraction, written as its numerator and its denominator.
    ///
    /// - Parameter decoder: Has it.
    /// - Throws: What the decoder throws, and `DecodingError` for what is no fraction.
    public init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        let (numerator, denominator) = (try parts.decode(Int64.self), try parts.decode(Int64.self))
        guard denominator > 0, numerator > .min else {
            throw DecodingError.dataCorruptedError(in: parts, debugDescription: "\(numerator)/\(denominator) is none")
        }
        self.init(numerator, denominator)
    }

    /// Writes both parts.
    ///
    /// - Parameter encoder: Takes it.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var parts = encoder.unkeyedContainer()
        try parts.encode(numerator)
        try parts.encode(denominator)
    }
}
