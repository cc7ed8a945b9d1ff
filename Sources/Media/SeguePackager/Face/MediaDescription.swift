internal import Foundation
package import SegueBase
package import SegueFFmpeg

/// What is in a file, as it was found: for lists, for `probe`, for people.
package struct MediaDescription: Sendable, Codable {
    /// libav's name of the container.
    package let container: String
    /// The duration that the container claims, in seconds; it may lie.
    package let claimedDuration: Rational?
    /// The container's tags, keys in lower case (`title`, `artist`, `album`).
    package let tags: [String: String]
    /// The chapters; of very many the first.
    package let chapters: [MediaChapter]
    /// All streams, those that are not served included.
    package let streams: [StreamInfo]

    /// The number of chapters are told of.
    package static let mostChapters = 1000

    /// The title, where the file has one.
    package var title: String? { tags["title"] }
    /// True if there is cover art.
    package var hasArtwork: Bool { streams.contains { $0.isAttachedPicture } }
    /// True if there is a film, cover art not counted.
    package var hasVideo: Bool { streams.contains { $0.kind == .video && !$0.isAttachedPicture } }
    /// True if there is audio.
    package var hasAudio: Bool { streams.contains { $0.kind == .audio } }
}

extension MediaDescription {
    /// What an opened file says of itself.
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
    /// What is in a file, as it was found before, or is found now and kept.
    ///
    /// - Parameters:
    ///   - identity: The file as it is.
    ///   - keeper: Keeps what is found; nil for nobody.
    ///   - find: Looks into the file.
    /// - Returns: What is in it.
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
            // What cannot be written is no description when it is read.
            writer.put((try? JSONEncoder().encode(description)).map(Array.init) ?? [])
            return writer.sealed()
        } find: {
            try find()
        }
    }
}
