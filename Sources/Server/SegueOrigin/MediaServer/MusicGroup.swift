/// Songs that belong together.
struct MusicGroup: Sendable, Equatable {
    /// What tells it from other groups of its kind.
    var key: String
    /// What it is called.
    var title: String
    /// Who made it, where that is one.
    var artist: String?
    /// The numbers of its songs, in order.
    var members: [Int]

    /// The artists of songs by name, each with their songs by album; songs of nobody known are left out.
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

    /// The albums of songs by name, each with its songs by disc and track, and those without a number after them as they
    /// lie in its folder: songs of one album lie in one folder, whoever sings them.
    static func albums(_ songs: [MediaTree.Item]) -> [MusicGroup] {
        groups(songs) { song in song.album.map { ("\($0.lowercased())\0\(song.folder)", $0) } }.map { group in
            var group = group
            group.members.sort { place($0, in: songs) < place($1, in: songs) }
            return group
        }
    }

    /// Where a song stands in its album.
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
