package import Timeline

/// What a muxer writes about a stream besides its codec.
package struct StreamAttributes: Sendable {
    /// Tags: `language`, `title`.
    package var metadata: [String: String] = [:]
    /// Frames a second, where the container writes it.
    package var frameRate: Rational?
    /// Whether it is cover art.
    package var isAttachedPicture = false
    /// Whether players choose it first.
    package var isDefault = false
    /// Clockwise rotation for display, in degrees.
    package var rotation: Double?
    /// The codec tag to write; nil leaves it to the muxer.
    package var codecTag: UInt32?
    /// Whether the tag in the parameters is kept.
    package var keepsCodecTag = false

    /// Nothing but the codec.
    package init() {}
}

/// Writes packets into a container in memory.
package final class MemoryMuxer {
    private let core: MuxerCore

    /// Sets up a muxer.
    ///
    /// - Parameters:
    ///   - format: libav's name of the container (`mp4`, `mpegts`, `matroska`).
    ///   - options: libav's options for the muxer (`movflags`).
    /// - Throws: ``MediaError`` when libav has no such muxer.
    package init(format: String, options: [String: String] = [:]) throws(MediaError) {
        core = try MuxerCore(name: "\(format) in memory", format: format, path: nil, options: options)
    }

    /// Adds a stream with the given parameters; its packets' times count `timeBase`.
    ///
    /// - Returns: The stream's number.
    /// - Throws: ``MediaError``.
    @discardableResult
    package func addStream(
        _ parameters: CodecParameters,
        timeBase: Rational,
        attributes: StreamAttributes = StreamAttributes()
    ) throws(MediaError) -> Int {
        try core.addStream(parameters, timeBase: timeBase, attributes: attributes)
    }

    /// Adds a stream for an encoder's packets.
    ///
    /// - Throws: ``MediaError``.
    @discardableResult
    package func addStream(
        _ encoder: any StreamEncoder,
        attributes: StreamAttributes = StreamAttributes()
    ) throws(MediaError) -> Int {
        try core.addStream(encoder.parameters, timeBase: encoder.packetTimeBase, attributes: attributes)
    }

    /// Sets the container's tags; before the first packet.
    package func setMetadata(_ metadata: [String: String]) { core.setMetadata(metadata) }

    /// Writes a packet, its times in the time base given with the stream.
    ///
    /// - Parameter interleaved: Whether the muxer may hold it back to sort the streams by time.
    /// - Throws: ``MediaError``.
    package func write(_ packet: Packet, stream: Int, interleaved: Bool = true) throws(MediaError) {
        try core.write(packet, stream: stream, interleaved: interleaved)
    }

    /// Writes out what is held back.
    ///
    /// - Throws: ``MediaError``.
    package func flush() throws(MediaError) { try core.flush() }

    /// Ends the container and hands over its bytes.
    ///
    /// - Throws: ``MediaError``.
    package func finish() throws(MediaError) -> [UInt8] {
        try core.finish()
        return core.takeBuffer()
    }

    /// Hands over the bytes written so far, without an end.
    ///
    /// - Throws: ``MediaError``.
    package func takeUnfinished() throws(MediaError) -> [UInt8] {
        try core.flush()
        return core.takeBuffer()
    }
}

/// Writes packets into a file.
package final class FileMuxer {
    private let core: MuxerCore

    /// Makes a file and sets up its muxer.
    ///
    /// - Parameters:
    ///   - path: The file; replaced if it exists.
    ///   - format: libav's name of the container; nil goes by the path's extension.
    ///   - options: libav's options for the muxer.
    /// - Throws: ``MediaError`` when libav has no such muxer or the file cannot be made.
    package init(path: String, format: String? = nil, options: [String: String] = [:]) throws(MediaError) {
        core = try MuxerCore(name: path, format: format, path: path, options: options)
    }

    /// Adds a stream with the given parameters; its packets' times count `timeBase`.
    ///
    /// - Returns: The stream's number.
    /// - Throws: ``MediaError``.
    @discardableResult
    package func addStream(
        _ parameters: CodecParameters,
        timeBase: Rational,
        attributes: StreamAttributes = StreamAttributes()
    ) throws(MediaError) -> Int {
        try core.addStream(parameters, timeBase: timeBase, attributes: attributes)
    }

    /// Adds a stream for an encoder's packets.
    ///
    /// - Throws: ``MediaError``.
    @discardableResult
    package func addStream(
        _ encoder: any StreamEncoder,
        attributes: StreamAttributes = StreamAttributes()
    ) throws(MediaError) -> Int {
        try core.addStream(encoder.parameters, timeBase: encoder.packetTimeBase, attributes: attributes)
    }

    /// Sets the container's tags; before the first packet.
    package func setMetadata(_ metadata: [String: String]) { core.setMetadata(metadata) }

    /// Writes a packet, its times in the time base given with the stream.
    ///
    /// - Throws: ``MediaError``.
    package func write(_ packet: Packet, stream: Int, interleaved: Bool = true) throws(MediaError) {
        try core.write(packet, stream: stream, interleaved: interleaved)
    }

    /// Ends the container and closes the file.
    ///
    /// - Throws: ``MediaError``.
    package func finish() throws(MediaError) { try core.finish() }
}
