/// A duration of a watch as a person writes it.
package enum WatchPeriod {
    private static let units: [(name: String, seconds: Int64)] = [
        ("min", 60), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
    ]
    /// 100 years, in seconds.
    private static let most: Int64 = 100 * 366 * 86_400

    /// A duration such as `90s`, `10min`, `2h`, or `3d`; nil for other text and for zero.
    package static func duration(_ text: String) -> Duration? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let count = Int64(text.dropLast(unit.name.count)), count > 0, count <= most / unit.seconds
        else { return nil }
        return .seconds(count * unit.seconds)
    }
}
