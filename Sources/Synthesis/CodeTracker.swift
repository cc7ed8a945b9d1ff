/// Reads frame numbers from the pictures of a recording, in which the code lies anywhere, and may move slowly.
///
/// The place is searched for once and then kept; it is adjusted where the code grows unclear, and searched for again
/// where it is lost.
package struct CodeTracker {
    private var area: CodeArea?
    private var clearness = 0.0
    private var failures = 0
    private var searches = 0
    private var sinceSearch = Int.max / 2

    /// So many unreadable pictures in a row, and the place is doubted; blends of two pictures are not so many.
    private static let doubted = 4

    /// After so many searches without a result, they become rare.
    private static let patience = 10

    /// A tracker that has seen nothing.
    package init() {}

    /// The number of the next picture, or nil where it shows none.
    package mutating func number(in plane: LumaPlane) -> Int? {
        sinceSearch += 1
        if let area, let number = area.number(in: plane) {
            (failures, searches) = (0, 0)
            adjust(area, in: plane)
            return number
        }
        failures += 1
        guard area == nil || failures >= Self.doubted else { return nil }
        guard sinceSearch >= (searches < Self.patience ? 5 : 30) else { return nil }
        (sinceSearch, searches) = (0, searches + 1)
        let whole = CodeArea(wholeWidth: plane.width, height: plane.height)
        guard let found = whole.number(in: plane) == nil ? CodeSearch.area(in: plane) : whole else { return nil }
        area = found
        clearness = found.levels(in: plane, part: 0.9)?.clearness ?? 0
        (failures, searches) = (0, 0)
        return found.number(in: plane)
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
