extension Rational: Codable {
    /// Decodes a fraction from its numerator and denominator.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: A `DecodingError` for an invalid fraction, and the decoder's errors.
    public init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        let (numerator, denominator) = (try parts.decode(Int64.self), try parts.decode(Int64.self))
        guard denominator > 0, numerator > .min else {
            throw DecodingError.dataCorruptedError(
                in: parts,
                debugDescription: "\(numerator)/\(denominator) is not a fraction"
            )
        }
        self.init(numerator, denominator)
    }

    /// Encodes the numerator and the denominator.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var parts = encoder.unkeyedContainer()
        try parts.encode(numerator)
        try parts.encode(denominator)
    }
}
