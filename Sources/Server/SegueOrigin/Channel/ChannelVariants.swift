import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SeguePlaylists

/// The multivariant playlist of a channel: one variant with video, one with audio only.
struct ChannelVariants {
    let channels: Channels
    let station: Channels.Station
    let opener: ItemOpener
    let names: ChannelNames

    /// The overhead of a channel in bits per second: the boxes of a fragment for each part.
    private static let bitsOfParts = 4000

    /// Returns the playlist.
    ///
    /// The attributes of a variant hold for all titles.
    ///
    /// - Throws: ``OriginFailure`` if the work is cancelled, or no title exists any more.
    func playlist(_ cancellation: Cancellation) throws -> MultivariantPlaylist {
        guard let lineup = station.lineup else { throw Self.isEmpty }
        let variants = try names.renditions.map { rendition in
            let name = "\(lineup.name) \(rendition.rawValue)"
            var variant = try channels.variant(name, cancellation) {
                try described(rendition, titles: lineup.titles, cancellation: $0)
            }
            // Another folder may have the same titles.
            variant.uri = names.playlist(of: rendition)
            return variant
        }
        return MultivariantPlaylist(
            variants: variants,
            isIndependent: lineup.titles.allSatisfy(\.title.isIndependent)
        )
    }

    private static let isEmpty = OriginFailure.unservable(
        "nothingPlayable",
        "no file of the channel exists any more"
    )

    private func described(
        _ rendition: Rendition,
        titles: [(item: LibraryItem, title: ChannelLineup.Title)],
        cancellation: Cancellation
    ) throws -> Variant {
        var descriptions: [RenditionDescription] = []
        for (item, title) in titles where rendition.hasVideo || title.audioSegments > 0 {
            do {
                let presentation = try opener.presentation(of: item, for: .any, in: .fmp4, cancellation)
                // A changed file is not played any more.
                guard presentation.identity == title.identity else { continue }
                descriptions.append(try presentation.rendition(rendition, in: .fmp4, cancellation: cancellation))
            } catch {
                if cancellation.isCancelled { throw OriginFailure.cancelled }
            }
        }
        guard let peak = descriptions.map(\.peakBandwidth).max() else { throw Self.isEmpty }
        let videoTracks = descriptions.flatMap(\.tracks).filter { $0.kind == .video }
        let ranges = Set(videoTracks.compactMap(\.videoRange))
        var variant = Variant(
            uri: names.playlist(of: rendition),
            bandwidth: peak + Self.bitsOfParts,
            averageBandwidth: (descriptions.map(\.averageBandwidth).max() ?? peak) + Self.bitsOfParts,
            codecs: descriptions.flatMap(\.codecs).reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
            resolution: videoTracks.max { $0.width * $0.height < $1.width * $1.height }.map {
                Resolution(width: $0.width, height: $0.height)
            },
            frameRate: videoTracks.compactMap(\.greatestFrameRate).max()
        )
        variant.videoRange = ranges.count == 1 ? ranges.first : nil
        variant.hdcpLevel = videoTracks.isEmpty ? nil : "NONE"
        return variant
    }
}
