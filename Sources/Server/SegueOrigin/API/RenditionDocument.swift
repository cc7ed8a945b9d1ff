import SeguePackager

/// The segment plan in `/api/items/ID`.
struct PlanDocument: Encodable {
    var segments: Int
    var targetDuration: Int
    var duration: Double
    var discontinuities: Int
    /// True while the file is being written: `duration` and `segments` are those so far.
    var isGrowing: Bool

    init(_ presentation: any Presenting) {
        let plan = presentation.plan
        isGrowing = !presentation.identity.isComplete
        segments = plan.segments.count
        targetDuration = plan.targetDuration
        duration = ItemDocument.seconds(plan.duration)
        discontinuities = plan.segments.count(where: \.startsDiscontinuity)
    }
}

/// A rendition in one container in `/api/items/ID`, or the reason why it cannot be served.
struct RenditionDocument: Encodable {
    /// The renditions by name and container.
    typealias All = [String: [String: RenditionDocument]]

    struct Track: Encodable {
        var kind: String
        var stream: Int
        var treatment: String
        var reason: String?
        var codec: String
        var codecs: String
        /// The dynamic range of copied HDR video.
        var dynamicRange: String?
        var bitsPerSecond: Int
    }

    var isPreferred: Bool?
    var bandwidth: Int?
    var averageBandwidth: Int?
    var codecs: String?
    var tracks: [Track]?
    var error: ItemDocument.Problem?

    /// The renditions of an item by name and container.
    ///
    /// - Parameters:
    ///   - presentations: The item, opened for a device; the preferred way first, each for its own containers.
    /// - Returns: The renditions.
    static func all(of presentations: [any Presenting], item: LibraryItem) -> All {
        var all: All = [:]
        for rendition in Rendition.principal {
            let preferred = presentations.first?.preferredContainer(for: rendition)
            for presentation in presentations {
                for container in presentation.containers {
                    all[rendition.rawValue, default: [:]][container.rawValue] = RenditionDocument(
                        rendition,
                        in: container,
                        of: presentation,
                        item: item,
                        isPreferred: container == preferred
                    )
                }
            }
        }
        return all
    }

    private init(
        _ rendition: Rendition,
        in container: SegmentContainer,
        of presentation: any Presenting,
        item: LibraryItem,
        isPreferred: Bool
    ) {
        do throws(PackagingError) {
            let description = try presentation.rendition(rendition, in: container)
            self.isPreferred = isPreferred
            bandwidth = description.peakBandwidth
            averageBandwidth = description.averageBandwidth
            codecs = description.codecs.joined(separator: ",")
            tracks = description.tracks.map(Track.init)
        } catch {
            let failure = OriginFailure(error, item: item)
            self.error = .init(code: failure.code, message: failure.message)
        }
    }
}

extension RenditionDocument.Track {
    /// The treatment of a stream.
    fileprivate init(_ track: TrackDescription) {
        kind = track.kind.rawValue
        stream = track.sourceStream
        codec = track.codec
        codecs = track.codecString
        dynamicRange = track.dynamicRange
        bitsPerSecond = track.estimatedBitsPerSecond
        treatment = track.treatment == .copy ? "copy" : "transcode"
        reason = track.reason
    }
}
