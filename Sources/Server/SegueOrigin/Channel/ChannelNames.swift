import SegueBase
import SeguePackager

/// Where a channel's playlists and pieces are, relative to its playlists.
struct ChannelNames {
    let station: Channels.Station
    /// The folder, as it is asked for.
    let folder: String

    /// Whether there is anything in a rendition.
    func offers(_ rendition: Rendition) -> Bool {
        rendition.hasPicture || station.lineups.values.contains { $0.hasSound }
    }

    /// The renditions that there are to choose from: of sound without pictures there is one.
    var renditions: [Rendition] {
        let hasPicture = station.lineups.values.contains { $0.hasPicture }
        return hasPicture && offers(.background) ? [.full, .background] : [.full]
    }

    /// The media playlist of a rendition.
    func playlist(of rendition: Rendition) -> String {
        "index.m3u8" + query(rendition.hasPicture ? [] : ["background=1"])
    }

    /// A rendition as playlists have it.
    func rendition(_ rendition: Rendition) -> ChannelPlaylist.Rendition {
        let (station, query) = (station, query([]))
        return ChannelPlaylist.Rendition(
            uri: { entry, part in
                let lineup = station.programme.eras[entry.era].name
                return ChannelPlace.path(lineup: lineup, rendition, sequence: entry.place.sequence, part: part) + query
            },
            map: { entry in
                guard let (item, title) = station.title(of: entry) else { return "" }
                // A title without sound has nothing to begin with; where it is a gap, nobody asks for that.
                return "../items/\(item.id)/\(SegmentAddress(initSegmentOf: title.delivered(rendition)).path)"
            },
            isGap: { entry in station.title(of: entry)?.title.isGap(entry.place.number, of: rendition) ?? true },
            hasPicture: { entry in rendition.hasPicture && station.title(of: entry)?.title.hasPicture == true },
            isIndependent: station.lineups.values.allSatisfy { $0.titles.allSatisfy(\.title.isIndependent) },
            others: renditions.contains(rendition) ? renditions.filter { $0 != rendition }.map(playlist) : []
        )
    }

    private func query(_ more: [String]) -> String {
        let parameters = (folder.isEmpty ? [] : ["folder=\(PercentCoding.encode(folder))"]) + more
        return parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    }
}
