/// The lead of the encoded audio over real time.
struct RadioPace: Sendable {
    /// The lead of a new station, so that players can fill their buffers.
    static let lead = Duration.seconds(6)

    /// The wait before more audio is encoded.
    ///
    /// - Parameters:
    ///   - made: The duration of the encoded audio.
    ///   - elapsed: The time since the start.
    /// - Returns: The wait; zero or negative if the encoder is late.
    static func wait(made: Duration, elapsed: Duration) -> Duration { made - lead - elapsed }
}
