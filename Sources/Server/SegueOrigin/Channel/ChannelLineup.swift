import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// The titles of a channel, with the state of their files when it was composed.
struct ChannelLineup: Sendable {
    /// A title's file and its segments.
    struct Title: Sendable {
        var identity: FileIdentity
        /// The boundaries of its segments and parts.
        var cuts: ChannelTitle
        var hasVideo: Bool
        /// The number of segments with audio, from the first; 0 without audio.
        var audioSegments: Int
        /// True if each segment can be decoded independently.
        var isIndependent: Bool

        /// The rendition in fragmented MP4, for any player.
        func delivered(_ rendition: Rendition) -> DeliveredRendition {
            DeliveredRendition(identity: identity, rendition: rendition, container: .fmp4)
        }

        /// Returns true if a rendition has nothing in a segment.
        func isGap(_ number: Int, of rendition: Rendition) -> Bool { !rendition.hasVideo && number >= audioSegments }
    }

    /// The titles in order, each with its item.
    let titles: [(item: LibraryItem, title: Title)]
    /// A name that follows from the titles and their boundaries, so that all servers have the same one.
    let name: String

    /// - Parameters:
    ///   - titles: The titles in order, each with its item.
    ///   - partTarget: The maximum duration of a part, in microseconds.
    init(_ titles: [(item: LibraryItem, title: Title)], partTarget: Int64) {
        self.titles = titles
        let words = titles.map { "\($0.item.id) \($0.title.identity.tag)" } + ["\(partTarget)"]
        name = String(StableHash.hex(Array(words.joined(separator: "\n").utf8)).prefix(16))
    }

    /// True if any title has video.
    var hasVideo: Bool { titles.contains { $0.title.hasVideo } }
    /// True if any title has audio.
    var hasAudio: Bool { titles.contains { $0.title.audioSegments > 0 } }
}

extension ChannelLineup.Title {
    /// Creates a title from an open file.
    ///
    /// - Parameters:
    ///   - partTarget: The maximum duration of a part, in microseconds.
    /// - Throws: ``PackagingError`` if a channel cannot play the file.
    init(_ presentation: any Presenting, partTarget: Int64, _ cancellation: Cancellation) throws {
        let full = try presentation.extent(of: .full, in: .fmp4, cancellation: cancellation)
        let parts = try presentation.parts(target: partTarget, cancellation: cancellation)
        let segments = zip(presentation.plan.segments, parts.segments).prefix(full.segmentCount).map { planned, parts in
            ChannelSegment(
                parts: parts.map { ChannelPart(microseconds: $0.microseconds, hasKeyframe: $0.hasKeyframe) },
                startsDiscontinuity: planned.startsDiscontinuity
            )
        }
        guard !segments.isEmpty else {
            throw PackagingError(.nothingPlayable, file: presentation.identity.path, "the file has nothing to play")
        }
        identity = presentation.identity
        cuts = ChannelTitle(segments: Array(segments))
        hasVideo = presentation.hasVideo
        isIndependent = full.isIndependent
        do throws(PackagingError) {
            let audio = try presentation.extent(of: .background, in: .fmp4, cancellation: cancellation)
            audioSegments = min(audio.segmentCount, segments.count)
        } catch {
            if error.reason == .cancelled { throw error }
            audioSegments = 0
        }
    }
}
