import SegueFFmpeg

/// A chapter as `/api/items/ID` shows it.
struct ChapterDocument: Encodable, Equatable {
    /// Where it begins, in seconds.
    var start: Double
    /// Where it ends, in seconds; null where that is not known.
    var end: Double?
    /// Its title; null where it has none.
    var title: String?

    /// How many characters of a title are shown.
    private static let longest = 200

    /// The chapters of a file, from the first to the last.
    ///
    /// - Parameters:
    ///   - chapters: The chapters as the container tells of them.
    ///   - duration: How long the file takes, in seconds.
    /// - Returns: Those that begin before its end.
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
