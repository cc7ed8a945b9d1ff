internal import Foundation
package import SegueBase
package import SegueFFmpeg

/// The contents of a file, for lists and `probe`.
package struct MediaDescription: Sendable, Codable {
    /// libav's name of the container.
    package let container: String
    /// The declared duration, in seconds; not reliable.
    package let claimedDuration: Rational?
    /// The container's tags with lowercase keys (`title`, `artist`, `album`).
    package let tags: [String: String]
    /// The chapters, up to ``mostChapters``.
    package let chapters: [MediaChapter]
    /// All streams, including those that are not served.
    package let streams: [StreamInfo]

    /// The maximum number of chapters.
    package static let mostChapters = 1000

    package var title: String? { tags["title"] }
    package var hasArtwork: Bool { streams.contains { $0.isAttachedPicture } }
    /// True if there is video other than cover art.
    package var hasVideo: Bool { streams.contains { $0.kind == .video && !$0.isAttachedPicture } }
    package var hasAudio: Bool { streams.contains { $0.kind == .audio } }
}

extension MediaDescription {
    /// Describes an opened file.
    package init(_ input: MediaInput) {
        self.init(
            container: input.formatName,
            claimedDuration: input.duration,
            tags: input.metadata,
            chapters: input.chapters(most: Self.mostChapters),
            streams: input.streams
        )
    }
}

extension MediaDescription {
    /// Returns the cached contents of a file, or determines and caches them.
    package static func kept(
        of identity: FileIdentity,
        by keeper: (any IndexKeeping)?,
        find: () throws -> MediaDescription
    ) rethrows -> MediaDescription {
        try KeptFindings(of: identity, by: keeper).value("description") { bytes in
            let json = try? KeptIndex.read(bytes) { reader throws(KeptReader.Damage) in try reader.content() }
            return json.flatMap { try? JSONDecoder().decode(MediaDescription.self, from: Data($0)) }
        } write: { description in
            var writer = KeptWriter()
            // An encoding failure stores a value that does not decode.
            writer.put((try? JSONEncoder().encode(description)).map(Array.init) ?? [])
            return writer.sealed()
        } find: {
            try find()
        }
    }
}
