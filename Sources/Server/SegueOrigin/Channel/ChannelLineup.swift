import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// The titles of a channel, as their files were when it was put together.
struct ChannelLineup: Sendable {
    /// What is known of a title.
    struct Title: Sendable {
        /// The file.
        var identity: FileIdentity
        /// Where it is cut.
        var cuts: ChannelTitle
        /// Whether there are pictures in it.
        var hasPicture: Bool
        /// How many of its segments the sound alone has, from the first on; 0 where there is none.
        var soundSegments: Int
        /// Whether each of its segments can be decoded without the others.
        var isIndependent: Bool

        /// The rendition, for any player, in fragmented MP4.
        func delivered(_ rendition: Rendition) -> DeliveredRendition {
            DeliveredRendition(identity: identity, rendition: rendition, container: .fmp4)
        }

        /// Whether a rendition has nothing of a segment.
        func isGap(_ number: Int, of rendition: Rendition) -> Bool { !rendition.hasPicture && number >= soundSegments }
    }

    /// The titles in order, each with its item.
    let titles: [(item: LibraryItem, title: Title)]
    /// The same titles cut the same way, the same name, on every server.
    let name: String

    /// Titles in order.
    ///
    /// - Parameters:
    ///   - titles: The titles, each with its item.
    ///   - partTarget: The longest part, in microseconds.
    init(_ titles: [(item: LibraryItem, title: Title)], partTarget: Int64) {
        self.titles = titles
        let words = titles.map { "\($0.item.id) \($0.title.identity.tag)" } + ["\(partTarget)"]
        name = String(StableHash.hex(Array(words.joined(separator: "\n").utf8)).prefix(16))
    }

    /// Whether any title has pictures.
    var hasPicture: Bool { titles.contains { $0.title.hasPicture } }
    /// Whether any title has sound alone.
    var hasSound: Bool { titles.contains { $0.title.soundSegments > 0 } }
}

extension ChannelLineup.Title {
    /// A title of an opened file.
    ///
    /// - Parameters:
    ///   - presentation: The file.
    ///   - partTarget: The longest part, in microseconds.
    ///   - cancellation: Stops the work.
    /// - Throws: ``PackagingError`` with the reason why a channel cannot have it.
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
            throw PackagingError(.nothingPlayable, file: presentation.identity.path, "there is nothing in it to play")
        }
        identity = presentation.identity
        cuts = ChannelTitle(segments: Array(segments))
        hasPicture = presentation.hasPicture
        isIndependent = full.isIndependent
        do throws(PackagingError) {
            let sound = try presentation.extent(of: .background, in: .fmp4, cancellation: cancellation)
            soundSegments = min(sound.segmentCount, segments.count)
        } catch {
            if error.reason == .cancelled { throw error }
            soundSegments = 0
        }
    }
}
