import SegueBase
import SeguePackager

/// The URIs of a channel's playlists and pieces, relative to its playlists.
struct ChannelNames {
    let station: Channels.Station
    /// The folder as requested.
    let folder: String

    func offers(_ rendition: Rendition) -> Bool {
        rendition.hasVideo || station.lineups.values.contains { $0.hasAudio }
    }

    /// The renditions to choose from; a channel without video has one.
    var renditions: [Rendition] {
        let hasVideo = station.lineups.values.contains { $0.hasVideo }
        return hasVideo && offers(.background) ? [.full, .background] : [.full]
    }

    /// The URI of a rendition's media playlist.
    func playlist(of rendition: Rendition) -> String {
        "index.m3u8" + query(rendition.hasVideo ? [] : ["background=1"])
    }

    /// The description of a rendition for playlists.
    func rendition(_ rendition: Rendition) -> ChannelPlaylist.Rendition {
        let (station, query) = (station, query([]))
        return ChannelPlaylist.Rendition(
            uri: { entry, part in
                let lineup = station.programme.eras[entry.era].name
                return ChannelPlace.path(lineup: lineup, rendition, sequence: entry.place.sequence, part: part) + query
            },
            map: { entry in
                guard let (item, title) = station.title(of: entry) else { return "" }
                // A title without audio has no init segment. Its segments are gaps, which clients do not load.
                return "../items/\(item.id)/\(SegmentAddress(initSegmentOf: title.delivered(rendition)).path)"
            },
            isGap: { entry in station.title(of: entry)?.title.isGap(entry.place.number, of: rendition) ?? true },
            hasVideo: { entry in rendition.hasVideo && station.title(of: entry)?.title.hasVideo == true },
            isIndependent: station.lineups.values.allSatisfy { $0.titles.allSatisfy(\.title.isIndependent) },
            others: renditions.contains(rendition) ? renditions.filter { $0 != rendition }.map(playlist) : []
        )
    }

    private func query(_ more: [String]) -> String {
        let parameters = (folder.isEmpty ? [] : ["folder=\(PercentCoding.encode(folder))"]) + more
        return parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    }
}
