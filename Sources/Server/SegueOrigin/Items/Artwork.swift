import Foundation
import SegueConcurrency
import SegueFFmpeg

/// Cover art, as the file holds it.
enum Artwork {
    /// The media type of a picture that browsers show, by its first bytes; nil for any other.
    static func contentType(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return nil
    }

    /// The widths in which pictures are made, in pixels.
    static let widths = [160, 320, 640, 1280]

    /// The width in which a picture is made for whoever wants one of a width; nil for as wide as it is.
    static func width(for wished: Int?) -> Int? {
        wished.map { wished in widths.first { $0 >= wished } ?? widths[widths.count - 1] }
    }

    /// A picture of an item: its cover art, the picture beside it, or one of the film.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - side: The picture beside it.
    ///   - width: How wide it may be; nil for as wide as it is, and of films for the greatest width.
    ///   - cancellation: Stops the work.
    /// - Returns: A JPEG or PNG.
    /// - Throws: ``OriginFailure`` with 404 and the reason where there is none; ``MediaError``.
    static func make(path: String, side: String?, width: Int?, cancellation: Cancellation) throws -> [UInt8] {
        let whole: [UInt8]
        do {
            whole = try read(path: path, cancellation: cancellation)
        } catch let failure as OriginFailure where failure.status == 404 {
            if let side {
                whole = Array(try Data(contentsOf: URL(fileURLWithPath: side)))
                guard contentType(whole) != nil else {
                    throw OriginFailure.notFound("the picture beside the file is no JPEG or PNG picture")
                }
            } else {
                do {
                    let width = width ?? widths[widths.count - 1]
                    return try Thumbnail.jpeg(ofFilm: path, width: width, cancellation: cancellation)
                } catch let error as MediaError where !error.isCancelled { throw failure }
            }
        }
        guard let width else { return whole }
        do {
            return try Thumbnail.jpeg(of: whole, width: width, cancellation: cancellation) ?? whole
        } catch let error as MediaError where !error.isCancelled {
            // What cannot be made smaller is shown as it is: browsers may read what libav does not.
            return whole
        }
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
