import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SeguePlaylists

/// Makes a channel's multivariant playlist: with pictures, and the sound alone.
struct ChannelVariants {
    let channels: Channels
    let station: Channels.Station
    let opener: ItemOpener
    let names: ChannelNames

    /// What a second of a channel has more than one of its titles, in bits: a fragment's boxes for each part.
    private static let bitsOfParts = 4000

    /// The playlist; what is said of a rendition holds for each of its titles.
    ///
    /// - Throws: ``OriginFailure`` where the work is stopped, or none of the titles is there any more.
    func playlist(_ cancellation: Cancellation) throws -> MultivariantPlaylist {
        guard let lineup = station.lineup else { throw Self.isEmpty }
        let variants = try names.renditions.map { rendition in
            let name = "\(lineup.name) \(rendition.rawValue)"
            var variant = try channels.variant(name, cancellation) { try described(rendition, lineup.titles, $0) }
            // The same titles may be another folder's, too.
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
        "none of the channel's titles is there any more"
    )

    private func described(
        _ rendition: Rendition,
        _ titles: [(item: LibraryItem, title: ChannelLineup.Title)],
        _ cancellation: Cancellation
    ) throws -> Variant {
        var descriptions: [RenditionDescription] = []
        for (item, title) in titles where rendition.hasPicture || title.soundSegments > 0 {
            do {
                let presentation = try opener.presentation(of: item, for: .any, in: .fmp4, cancellation)
                // Of a file that has changed nothing is played any more.
                guard presentation.identity == title.identity else { continue }
                descriptions.append(try presentation.rendition(rendition, in: .fmp4, cancellation: cancellation))
            } catch {
                if cancellation.isCancelled { throw OriginFailure.cancelled }
            }
        }
        guard let peak = descriptions.map(\.peakBandwidth).max() else { throw Self.isEmpty }
        let pictures = descriptions.flatMap(\.tracks).filter { $0.kind == .video }
        let ranges = Set(pictures.compactMap(\.videoRange))
        return Variant(
            uri: names.playlist(of: rendition),
            bandwidth: peak + Self.bitsOfParts,
            averageBandwidth: (descriptions.map(\.averageBandwidth).max() ?? peak) + Self.bitsOfParts,
            codecs: descriptions.flatMap(\.codecs).reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
            resolution: pictures.max { $0.width * $0.height < $1.width * $1.height }.map {
                Resolution(width: $0.width, height: $0.height)
            },
            frameRate: pictures.compactMap(\.greatestFrameRate).max(),
            videoRange: ranges.count == 1 ? ranges.first : nil,
            hdcpLevel: pictures.isEmpty ? nil : "NONE"
        )
    }
}
