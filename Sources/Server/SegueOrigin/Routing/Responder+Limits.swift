extension Responder {
    /// The limits of caches and encoders.
    package struct Limits: Sendable {
        /// The maximum number of open presentations.
        package var presentations: Int

        /// The maximum size of cached segments in bytes.
        package var segmentBytes: Int

        /// The maximum size of bodies in memory that are being sent and exceed the spool.
        package var sendingBytes: Int

        /// The number of segments to encode ahead of a request.
        package var ahead: Int

        /// The maximum number of segments that are encoded at once.
        package var encoders: Int

        /// The maximum size of encoded audio that each presentation keeps, and the same of encoded video.
        package var codedBytes: Int

        /// Creates limits; the defaults suit a home server.
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
