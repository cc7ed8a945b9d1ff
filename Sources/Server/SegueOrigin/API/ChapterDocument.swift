import SegueFFmpeg

/// A chapter in `/api/items/ID`.
struct ChapterDocument: Encodable, Equatable {
    /// The start in seconds.
    var start: Double
    /// The end in seconds; null if it is unknown.
    var end: Double?
    /// The title; null if it has none.
    var title: String?

    /// The maximum length of a title in characters.
    private static let longest = 200

    /// The chapters that start before the end of the file.
    ///
    /// - Parameters:
    ///   - chapters: The chapters of the container.
    ///   - duration: The duration of the file in seconds.
    /// - Returns: The chapters in order.
    static func all(_ chapters: [MediaChapter], duration: Double) -> [ChapterDocument] {
        let known = chapters.map { ($0, start: max(0, Double($0.start) / 1e6)) }.filter { $0.start < duration }
            .sorted { $0.start < $1.start }
        return known.enumerated().map { number, chapter in
            let next = number + 1 < known.count ? known[number + 1].start : duration
            let end = Double(chapter.0.end) / 1e6
            let title = ItemTags.line(chapter.0.title).map { String($0.prefix(longest)) }
            return ChapterDocument(
                start: chapter.start,
                end: end > chapter.start ? min(end, duration) : next,
                title: title
            )
        }
    }
}
