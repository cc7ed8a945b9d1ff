internal import Foundation
internal import SegueCharts

/// The compressed timelines of a page: as many as it has room for, failures first.
struct PageTimelines {
    /// The importance of a timeline, highest first.
    enum Rank: Int, CaseIterable {
        case failed, changed, other
    }

    /// The number of timelines in a block; larger blocks compress better and take longer to open.
    static let together = 16

    /// The number that stands for a timeline without room.
    static let noRoom = -2

    /// The style that all timelines share.
    private(set) var common = ""
    private(set) var ranks = Rank.allCases.map { _ in PageBlocks(size: together, divider: TimelineText.divider) }
    private var room: Int
    private var shared: [UInt8]?
    /// The ranks that lost timelines and accept no more, because the numbers of a rank are consecutive.
    private var isFull = Rank.allCases.map { _ in false }

    /// Creates an empty collection.
    ///
    /// - Parameter room: The maximum size in bytes.
    init(room: Int) { self.room = room }

    /// Returns whether there is room for another timeline.
    func hasRoom(for rank: Rank) -> Bool {
        !isFull[rank.rawValue] && ranks[...rank.rawValue].reduce(0) { $0 + $1.bytes } < room
    }

    /// Adds a timeline.
    ///
    /// - Returns: Its number in the page.
    /// - Throws: `Gzip.Failure` if there is no memory.
    mutating func add(_ picture: String, _ rank: Rank) throws -> Int {
        let bytes = Array(picture.utf8)
        var style = TimelineText.style(in: bytes)
        if let found = style {
            if shared == nil {
                shared = Array(bytes[found])
                common = String(decoding: bytes[found], as: UTF8.self)
            } else if shared.map({ !$0.elementsEqual(bytes[found]) }) == true {
                style = nil
            }
        }
        let number = ranks[rank.rawValue].count
        try ranks[rank.rawValue].add(TimelineText.packed(bytes, without: style))
        makeRoom()
        return number * ranks.count + rank.rawValue
    }

    /// Sets the maximum size and removes the least important timelines that exceed it.
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
