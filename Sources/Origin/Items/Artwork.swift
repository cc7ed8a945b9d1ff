import Media

/// Cover art, as the file holds it.
enum Artwork {
    /// The media type of a picture that browsers show, by its first bytes; nil for any other.
    static func contentType(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return nil
    }

    /// Reads the first picture that is attached to a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - cancellation: Stops the reading.
    /// - Returns: The picture's bytes, JPEG or PNG.
    /// - Throws: ``OriginFailure`` with 404 and the reason where there is none; ``MediaError``.
    static func read(path: String, cancellation: Cancellation) throws -> [UInt8] {
        let input = try MediaInput(path: path, cancellation: cancellation)
        let pictures = input.streams.filter(\.isAttachedPicture)
        guard !pictures.isEmpty else { throw OriginFailure.notFound("the file has no cover art") }
        input.keepOnly(streams: Set(pictures.map(\.index)))
        // Demuxers give attached pictures before anything else.
        let packet = Packet()
        var left = 4 * (pictures.count + input.streams.count)
        while left > 0, try input.read(into: packet) {
            left -= 1
            guard pictures.contains(where: { $0.index == packet.streamIndex }) else { continue }
            let bytes = packet.bytes
            if contentType(bytes) != nil { return bytes }
        }
        let codecs = Set(pictures.map(\.codec)).sorted().joined(separator: ", ")
        throw OriginFailure.notFound("the file's cover art (\(codecs)) is not a JPEG or PNG picture")
    }
}
