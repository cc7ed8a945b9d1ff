/// Reads frame numbers from the frames of a recording, in which the code lies anywhere, and may move slowly.
///
/// The place is searched for once and then kept; it is adjusted where the code grows unclear, and searched for again
/// where it is lost.
package struct CodeTracker {
    private var area: CodeArea?
    private var clearness = 0.0
    private var failures = 0
    private var searches = 0
    private var sinceSearch = 0
    /// What was searched last, without a result, in a few samples.
    private var searched: [Int16] = []
    /// The variant's mark in the frame whose number was read last, or nil where it had none that can be read.
    package private(set) var mark: Int?
    /// The brightness of black cells where it was read last.
    private var black = 0

    /// So many unreadable frames in a row, and the place is doubted; blends of two frames are not so many.
    private static let doubted = 4

    /// After so many searches without a result, they become rare.
    private static let patience = 60
    /// From one search to the next of frames that look the same.
    private static let pause = 30
    /// By so much, of 255, some place changes in a frame that does not look the same.
    private static let change: Int16 = 24

    /// A tracker that has seen nothing.
    package init() {}

    /// The number of the next frame, or nil where it shows none.
    package mutating func number(in plane: LumaPlane) -> Int? {
        let number = nextNumber(in: plane)
        mark = number == nil ? nil : area?.mark(in: plane)
        return number
    }

    private mutating func nextNumber(in plane: LumaPlane) -> Int? {
        sinceSearch += 1
        if let area, let number = area.number(in: plane) {
            (failures, searches) = (0, 0)
            adjust(area, in: plane)
            black = area.levels(in: plane, part: 0.5)?.code.min() ?? black
            return number
        }
        failures += 1
        guard area == nil || failures >= Self.doubted else { return nil }
        guard isWorthSearching(plane) else { return nil }
        let whole = CodeArea(wholeWidth: plane.width, height: plane.height)
        guard let found = whole.number(in: plane) == nil ? CodeSearch.area(in: plane) : whole else { return nil }
        area = found
        clearness = found.levels(in: plane, part: 0.9)?.clearness ?? 0
        (failures, searches) = (0, 0)
        return found.number(in: plane)
    }

    /// True if the place where the code was last is as dark as black cells, or, where none was, the whole frame is.
    package func isDark(_ plane: LumaPlane) -> Bool {
        guard let area, let levels = area.levels(in: plane, part: 0.5) else {
            return plane.look.allSatisfy { $0 <= 40 }
        }
        return (levels.code + levels.border).allSatisfy { $0 <= black + 24 }
    }

    /// A frame that looks as one that was searched in vain is searched seldom, and one of a single gray not at all.
    private mutating func isWorthSearching(_ plane: LumaPlane) -> Bool {
        let look = plane.look
        guard let low = look.min(), let high = look.max(), high - low >= Self.change else { return false }
        let isNew = look.count != searched.count || zip(look, searched).contains { abs($0 - $1) > Self.change }
        guard sinceSearch >= (isNew ? (searches < Self.patience ? 1 : 5) : Self.pause) else { return false }
        (sinceSearch, searches, searched) = (0, searches + 1, look)
        return true
    }

    /// Follows a code that moves, as in what a hand films.
    private mutating func adjust(_ area: CodeArea, in plane: LumaPlane) {
        let now = area.levels(in: plane, part: 0.9)?.clearness ?? 0
        guard now < clearness - 0.1 else { return }
        let other = area.adjusted(in: plane)
        if other.number(in: plane) != nil { self.area = other }
        clearness = max(other.levels(in: plane, part: 0.9)?.clearness ?? 0, now)
    }
}
