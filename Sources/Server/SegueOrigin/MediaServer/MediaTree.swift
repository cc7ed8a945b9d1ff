import SegueUPnP

/// The content tree of the media server: by folder, and by music and video.
///
/// An item belongs to its folder; other entries, such as the one in its album, are references.
struct MediaTree: ContentTree, Sendable {
    /// The facts that lists need.
    struct Item: Sendable, Hashable {
        let id: String
        let folder: String
        let title: String
        let artist: String?
        let album: String?
        var disc: Int?
        var track: Int?
        let isMovie: Bool
    }

    private struct Container: Sendable {
        var entry: ContentEntry
        var containers: [String] = []
        /// The indexes of items.
        var items: [Int] = []
    }

    private enum Name {
        static let root = "0"
        static let folders = "folders"
        static let music = "music"
        static let artists = "artists"
        static let albums = "albums"
        static let songs = "songs"
        static let films = "films"
    }

    var updateID: UInt32 = 0
    var madeAt = ContinuousClock.now
    /// A hash of the content.
    let signature: Int
    private let items: [Item]
    private let parents: [String]
    private let numbers: [String: Int]
    private var containers: [String: Container] = [:]

    init(_ items: [Item]) {
        self.items = items
        signature = items.hashValue
        numbers = Dictionary(items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        parents = items.map { Self.folderID($0.folder) }
        add(Name.root, title: "Segue", type: "object.container", to: "-1")
        add(Name.folders, title: "Folders", type: Self.folderType, to: Name.root)
        for (number, parent) in parents.enumerated() {
            addFolder(items[number].folder)
            containers[parent]?.items.append(number)
        }
        let music = items.indices.filter { !items[$0].isMovie }
        if !music.isEmpty { addMusic(music) }
        let films = items.indices.filter { items[$0].isMovie }
        if !films.isEmpty {
            add(Name.films, title: "Films", type: "object.container", to: Name.root)
            let ordered = byTitle(films)
            containers[Name.films]?.items = ordered
        }
        for id in containers.keys { count(id) }
    }

    func entry(_ id: String) -> ContentEntry? {
        if let container = containers[id] { return container.entry }
        let parts = id.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let number = numbers[parts[0]] else { return nil }
        if parts.count == 1 { return entry(number, in: parents[number]) }
        guard containers[parts[1]]?.items.contains(number) == true, parents[number] != parts[1] else { return nil }
        return entry(number, in: parts[1])
    }

    func children(of id: String) -> [ContentEntry]? {
        guard let container = containers[id] else { return nil }
        return container.containers.compactMap { containers[$0]?.entry } + container.items.map { entry($0, in: id) }
    }

    func descendants(of id: String) -> [ContentEntry]? {
        guard containers[id] != nil else { return nil }
        var found: [ContentEntry] = []
        var seen: Set<Int> = []
        collect(id, into: &found, seen: &seen)
        return found
    }

    /// The id of an entry's item; nil for a container.
    func itemID(_ entry: ContentEntry) -> String? { entry.isContainer ? nil : entry.reference ?? entry.id }

    /// Collects each item once, in its folder.
    private func collect(_ id: String, into found: inout [ContentEntry], seen: inout Set<Int>) {
        guard let container = containers[id] else { return }
        for child in container.containers {
            if let entry = containers[child]?.entry { found.append(entry) }
            collect(child, into: &found, seen: &seen)
        }
        for number in container.items where seen.insert(number).inserted { found.append(entry(number, in: id)) }
    }

    private func entry(_ number: Int, in container: String) -> ContentEntry {
        let item = items[number]
        let isOwn = container == parents[number]
        var entry = ContentEntry(
            id: isOwn ? item.id : "\(item.id)@\(container)",
            parent: container,
            type: item.isMovie ? "object.item.videoItem" : "object.item.audioItem.musicTrack",
            title: item.title
        )
        (entry.artist, entry.album) = (item.artist, item.album)
        if !isOwn { entry.reference = item.id }
        return entry
    }

    private mutating func addMusic(_ music: [Int]) {
        add(Name.music, title: "Music", type: "object.container", to: Name.root)
        add(Name.artists, title: "Artists", type: "object.container", to: Name.music)
        add(Name.albums, title: "Albums", type: "object.container", to: Name.music)
        add(Name.songs, title: "All songs", type: "object.container", to: Name.music)
        let ordered = byTitle(music)
        containers[Name.songs]?.items = ordered
        for artist in MusicGroup.artists(music.map { items[$0] }) {
            let id = Self.id("artist", artist.key)
            add(id, title: artist.title, type: "object.container.person.musicArtist", to: Name.artists)
            containers[id]?.items = artist.members.map { music[$0] }
        }
        for album in MusicGroup.albums(music.map { items[$0] }) {
            let id = Self.id("album", album.key)
            add(id, title: album.title, type: "object.container.album.musicAlbum", to: Name.albums)
            containers[id]?.entry.artist = album.artist
            containers[id]?.items = album.members.map { music[$0] }
        }
    }

    private func byTitle(_ numbers: [Int]) -> [Int] {
        numbers.map { ($0, items[$0].title.lowercased()) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    }

    /// Adds a folder and its parents.
    private mutating func addFolder(_ path: String) {
        let id = Self.folderID(path)
        guard containers[id] == nil else { return }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let above = String(path.dropLast(name.count).drop { $0 == "/" })
        let parent = above.last == "/" ? String(above.dropLast()) : above
        addFolder(parent)
        add(id, title: name, type: Self.folderType, to: Self.folderID(parent))
    }

    private mutating func add(_ id: String, title: String, type: String, to parent: String) {
        guard containers[id] == nil else { return }
        containers[id] = Container(entry: ContentEntry(id: id, parent: parent, type: type, title: title, childCount: 0))
        containers[parent]?.containers.append(id)
    }

    private mutating func count(_ id: String) {
        guard let container = containers[id] else { return }
        containers[id]?.entry.childCount = container.containers.count + container.items.count
    }

    private static let folderType = "object.container.storageFolder"

    private static func folderID(_ path: String) -> String { path.isEmpty ? Name.folders : id("folder", path) }

    /// A stable id of characters that need no escaping.
    private static func id(_ kind: String, _ key: String) -> String {
        "\(kind)-\(StableHash.hex(Array(key.utf8)).prefix(16))"
    }
}

extension MediaTree.Item {
    init(_ item: LibraryItem, _ traits: ItemTraits) {
        self.init(
            id: item.id,
            folder: item.folder,
            title: traits.title,
            artist: traits.artist,
            album: traits.album,
            disc: traits.disc,
            track: traits.track,
            isMovie: traits.kind == .movie
        )
    }
}
