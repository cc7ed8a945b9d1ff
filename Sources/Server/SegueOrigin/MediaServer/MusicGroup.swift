/// An artist or an album.
struct MusicGroup: Sendable, Equatable {
    /// The key among groups of its kind.
    var key: String
    var title: String
    /// The artist; nil for several.
    var artist: String?
    /// The indexes of its songs in order.
    var members: [Int]

    /// The artists by name, each with their songs by album; songs without an artist are left out.
    static func artists(_ songs: [MediaTree.Item]) -> [MusicGroup] {
        groups(songs) { song in song.artist.map { ($0.lowercased(), $0) } }.map { group in
            var group = group
            group.members.sort { one, other in
                let (album, next) = (songs[one].album ?? "", songs[other].album ?? "")
                return album == next ? place(one, in: songs) < place(other, in: songs) : album < next
            }
            group.artist = nil
            return group
        }
    }

    /// The albums by name, each with its songs by disc and track, songs without a number last.
    ///
    /// Songs of an album are in one folder, whoever performs them.
    static func albums(_ songs: [MediaTree.Item]) -> [MusicGroup] {
        groups(songs) { song in song.album.map { ("\($0.lowercased())\0\(song.folder)", $0) } }.map { group in
            var group = group
            group.members.sort { place($0, in: songs) < place($1, in: songs) }
            return group
        }
    }

    /// The position of a song in its album.
    private static func place(_ number: Int, in songs: [MediaTree.Item]) -> (disc: Int, track: Int, number: Int) {
        (songs[number].disc ?? 1, songs[number].track ?? .max, number)
    }

    private static func groups(
        _ songs: [MediaTree.Item],
        by key: (MediaTree.Item) -> (key: String, title: String)?
    ) -> [MusicGroup] {
        var groups: [String: MusicGroup] = [:]
        for (number, song) in songs.enumerated() {
            guard let (key, title) = key(song) else { continue }
            var group = groups[key] ?? MusicGroup(key: key, title: title, artist: song.artist, members: [])
            if group.artist != song.artist { group.artist = nil }
            group.members.append(number)
            groups[key] = group
        }
        return groups.values.sorted { ($0.title.lowercased(), $0.key) < ($1.title.lowercased(), $1.key) }
    }
}
