/// The used and free ranges of a file.
struct SpoolSpace: Equatable {
    /// The free ranges in order; none touches another or the end.
    private var free: [Range<Int64>] = []
    /// The end of the last used range.
    private(set) var end: Int64 = 0
    /// The number of used bytes.
    private(set) var taken: Int64 = 0

    /// Allocates the first free range that is long enough, or a range at the end.
    ///
    /// - Parameter count: The number of bytes; at least 1.
    /// - Returns: The range.
    mutating func take(_ count: Int64) -> Range<Int64> {
        taken += count
        guard let place = free.firstIndex(where: { $0.count >= count }) else {
            defer { end += count }
            return end..<end + count
        }
        let stretch = free[place].lowerBound..<free[place].lowerBound + count
        if free[place].count == count {
            free.remove(at: place)
        } else {
            free[place] = stretch.upperBound..<free[place].upperBound
        }
        return stretch
    }

    /// Frees a range.
    mutating func give(_ stretch: Range<Int64>) {
        taken -= Int64(stretch.count)
        var whole = stretch
        let place = free.firstIndex { $0.lowerBound >= stretch.upperBound } ?? free.endIndex
        var touching = place..<place
        if place < free.endIndex, free[place].lowerBound == whole.upperBound {
            whole = whole.lowerBound..<free[place].upperBound
            touching = place..<place + 1
        }
        if place > free.startIndex, free[place - 1].upperBound == whole.lowerBound {
            whole = free[place - 1].lowerBound..<whole.upperBound
            touching = place - 1..<touching.upperBound
        }
        if whole.upperBound == end {
            end = whole.lowerBound
            free.removeSubrange(touching)
        } else {
            free.replaceSubrange(touching, with: [whole])
        }
    }
}
