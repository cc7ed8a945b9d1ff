internal import Foundation
internal import SegueCharts

/// The pictures of a page, packed: those of what failed before all others, and as many as there is room for.
struct PagePictures {
    /// How much a picture is missed, the most first.
    enum Rank: Int, CaseIterable {
        case failed, changed, other
    }

    /// How many pictures lie together; the more, the smaller they are, and the longer it takes to see one.
    static let together = 16

    /// The number of a picture that there was no room for.
    static let noRoom = -2

    /// The style that all pictures have.
    private(set) var common = ""
    private(set) var ranks = Rank.allCases.map { _ in PageBlocks(size: together, divider: PictureText.divider) }
    private var room: Int
    private var shared: [UInt8]?
    /// The ranks of which pictures have gone, and to which none is added any more: their numbers count up.
    private var isFull = Rank.allCases.map { _ in false }

    /// No pictures.
    ///
    /// - Parameter room: How many bytes they may have in the page.
    init(room: Int) { self.room = room }

    /// Whether there is room for another one.
    func hasRoom(for rank: Rank) -> Bool {
        !isFull[rank.rawValue] && ranks[...rank.rawValue].reduce(0) { $0 + $1.bytes } < room
    }

    /// Adds a picture.
    ///
    /// - Returns: Its number in the page.
    /// - Throws: `Gzip.Failure` when there is no memory.
    mutating func add(_ picture: String, _ rank: Rank) throws -> Int {
        let bytes = Array(picture.utf8)
        var style = PictureText.style(in: bytes)
        if let found = style {
            if shared == nil {
                shared = Array(bytes[found])
                common = String(decoding: bytes[found], as: UTF8.self)
            } else if shared.map({ !$0.elementsEqual(bytes[found]) }) == true {
                style = nil
            }
        }
        let number = ranks[rank.rawValue].count
        try ranks[rank.rawValue].add(PictureText.packed(bytes, without: style))
        makeRoom()
        return number * ranks.count + rank.rawValue
    }

    /// Says how much of the page is left for pictures; those that are missed least go.
    mutating func limit(to room: Int) throws {
        self.room = room
        for rank in ranks.indices { try ranks[rank].close() }
        makeRoom()
    }

    private mutating func makeRoom() {
        while ranks.reduce(0, { $0 + $1.bytes }) > room, let last = ranks.lastIndex(where: { !$0.blocks.isEmpty }) {
            ranks[last].dropLast()
            isFull[last] = true
        }
    }
}
