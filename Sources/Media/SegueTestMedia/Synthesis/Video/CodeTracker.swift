/// Reads frame numbers from a recording, in which the code may be anywhere and move slowly.
///
/// The position is kept once found, adjusted as clarity drops, and searched again if lost.
package struct CodeTracker {
    private var area: CodeArea?
    private var clearness = 0.0
    private var failures = 0
    private var searches = 0
    private var sinceSearch = 0
    /// A thumbnail of the last frame searched without a result.
    private var searched: [Int16] = []
    /// The variant's mark in the last read frame; nil if there is none.
    package private(set) var mark: Int?
    /// The brightness of black cells in the last read frame.
    private var black = 0

    /// The number of consecutive unreadable frames after which the position is doubted; blends are fewer.
    private static let doubted = 4

    /// The number of failed searches after which searches become rare.
    private static let patience = 60
    /// The interval between searches of similar frames.
    private static let pause = 30
    /// The change of brightness, of 255, that makes frames dissimilar.
    private static let change: Int16 = 24

    package init() {}

    /// The number of the next frame; nil if it shows none.
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

    /// True if the last known position of the code, or else the whole frame, is as dark as black cells.
    package func isDark(_ plane: LumaPlane) -> Bool {
        guard let area, let levels = area.levels(in: plane, part: 0.5) else {
            return plane.look.allSatisfy { $0 <= 40 }
        }
        return (levels.code + levels.border).allSatisfy { $0 <= black + 24 }
    }

    /// Limits searches of frames similar to one searched without a result, and skips uniform ones.
    private mutating func isWorthSearching(_ plane: LumaPlane) -> Bool {
        let look = plane.look
        guard let low = look.min(), let high = look.max(), high - low >= Self.change else { return false }
        let isNew = look.count != searched.count || zip(look, searched).contains { abs($0 - $1) > Self.change }
        guard sinceSearch >= (isNew ? (searches < Self.patience ? 1 : 5) : Self.pause) else { return false }
        (sinceSearch, searches, searched) = (0, searches + 1, look)
        return true
    }

    /// Follows a moving code, as in handheld recordings.
    private mutating func adjust(_ area: CodeArea, in plane: LumaPlane) {
        let now = area.levels(in: plane, part: 0.9)?.clearness ?? 0
        guard now < clearness - 0.1 else { return }
        let other = area.adjusted(in: plane)
        if other.number(in: plane) != nil { self.area = other }
        clearness = max(other.levels(in: plane, part: 0.9)?.clearness ?? 0, now)
    }
}
