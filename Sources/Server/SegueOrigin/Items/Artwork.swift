import Foundation
import SegueConcurrency
import SegueFFmpeg

/// Images of items.
enum Artwork {
    /// The media type of an image that browsers display, or nil for any other.
    static func contentType(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return nil
    }

    /// The maximum size of an image file in bytes.
    private static let mostBytes = 64 << 20

    /// The widths of resized images in pixels.
    static let widths = [160, 320, 640, 1280]

    /// The smallest of these widths that covers a requested one; nil for the original size.
    static func width(for wished: Int?) -> Int? {
        wished.map { wished in widths.first { $0 >= wished } ?? widths[widths.count - 1] }
    }

    /// Returns an image of an item: its cover art, the image file next to it, or a frame of the video.
    ///
    /// - Parameters:
    ///   - side: The image file next to it.
    ///   - width: The maximum width; nil for the original size, or for the largest width of a video frame.
    /// - Returns: A JPEG or PNG.
    /// - Throws: ``OriginFailure`` with 404 if there is none; ``MediaError``.
    static func make(path: String, side: String?, width: Int?, cancellation: Cancellation) throws -> [UInt8] {
        let whole: [UInt8]
        do {
            whole = try read(path: path, cancellation: cancellation)
        } catch let failure as OriginFailure where failure.status == 404 {
            if let side {
                let file = ReadableFile.handle(side)
                whole = Array(try file?.read(upToCount: mostBytes) ?? Data())
                guard contentType(whole) != nil, whole.count < mostBytes else {
                    throw OriginFailure.notFound("the image next to the file is not a JPEG or PNG")
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
            // An image that cannot be resized is sent as it is: browsers may decode formats that libav does not.
            return whole
        }
    }

    /// Returns the first attached picture of a file.
    ///
    /// - Returns: A JPEG or PNG.
    /// - Throws: ``OriginFailure`` with 404 if there is none; ``MediaError``.
    static func read(path: String, cancellation: Cancellation) throws -> [UInt8] {
        let input = try MediaInput(path: path, cancellation: cancellation)
        let pictures = input.streams.filter(\.isAttachedPicture)
        guard !pictures.isEmpty else { throw OriginFailure.notFound("the file has no cover art") }
        input.keepOnly(streams: Set(pictures.map(\.index)))
        // Demuxers return attached pictures before other packets.
        let packet = Packet()
        var left = 4 * (pictures.count + input.streams.count)
        while left > 0, try input.read(into: packet) {
            left -= 1
            guard pictures.contains(where: { $0.index == packet.streamIndex }) else { continue }
            let bytes = packet.bytes
            if contentType(bytes) != nil { return bytes }
        }
        let codecs = Set(pictures.map(\.codec)).sorted().joined(separator: ", ")
        throw OriginFailure.notFound("the file's cover art (\(codecs)) is not a JPEG or PNG")
    }
}
