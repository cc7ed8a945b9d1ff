extension Responder {
    /// How much is kept.
    package struct Limits: Sendable {
        /// The greatest number of presentations held ready.
        package var presentations: Int

        /// The greatest number of bytes of segments held.
        package var segmentBytes: Int

        /// The greatest number of bytes held besides, of what is being sent and finds no room in a spool.
        package var sendingBytes: Int

        /// How many segments after one that is asked for are made before they are asked for, where that takes
        /// encoding.
        package var ahead: Int

        /// How many segments are made at once where that takes encoding.
        package var encoders: Int

        /// How many bytes of what is coded anew each presentation keeps for whoever wants the same: of sound, and as many
        /// of pictures.
        package var codedBytes: Int

        /// Limits; the given ones suit a home.
        package init(
            presentations: Int = 16,
            segmentBytes: Int = 24 << 20,
            sendingBytes: Int = .max,
            ahead: Int = 0,
            encoders: Int = 1,
            codedBytes: Int = 0
        ) {
            self.presentations = presentations
            self.segmentBytes = segmentBytes
            self.sendingBytes = sendingBytes
            self.ahead = ahead
            self.encoders = encoders
            self.codedBytes = codedBytes
        }
    }
}
