/// The words of a file name that identify an episode.
struct EpisodeMark: Equatable {
    var words: Range<Int>
    /// The season; nil if the words do not contain it.
    var season: Int?
    /// The episode, or the first of several; nil if episodes are named after dates.
    var episode: Int?
    /// The last of several episodes.
    var lastEpisode: Int?

    /// - Parameters:
    ///   - words: The words of the name.
    ///   - isGrouped: True if the name starts with a group in brackets, which numbers episodes without seasons.
    ///   - isInSeason: True if the folder is a season's, in which a bare number is an episode.
    init?(in words: [NameWords.Word], isGrouped: Bool, isInSeason: Bool) {
        for place in words.indices {
            if let found = Self.seasonAndEpisode(words, place) ?? Self.cross(words, place) ?? Self.day(words, place) {
                self = found
                return
            }
        }
        guard isGrouped || isInSeason, let found = Self.alone(words, isInSeason: isInSeason) else { return nil }
        self = found
    }

    private init(words: Range<Int>, season: Int?, episode: Int?, lastEpisode: Int? = nil) {
        (self.words, self.season, self.episode) = (words, season, episode)
        self.lastEpisode = lastEpisode == episode ? nil : lastEpisode
    }

    /// `S01E02`, `S01E01E02`, `S01E01-E02`, `S01 E02`.
    private static func seasonAndEpisode(_ words: [NameWords.Word], _ place: Int) -> EpisodeMark? {
        var scanner = MarkScanner(words[place].text)
        guard scanner.take("s"), let season = scanner.number(most: 4) else { return nil }
        var end = place + 1
        if scanner.isAtEnd, end < words.count {
            scanner = MarkScanner(words[end].text)
            end += 1
        }
        _ = scanner.take("-")
        guard scanner.take("e"), let first = scanner.number(most: 4) else { return nil }
        var last: Int?
        while !scanner.isAtEnd {
            _ = scanner.take("-")
            guard scanner.take("e"), let next = scanner.number(most: 4) else { break }
            last = next
        }
        // `S01E02x` is not an episode; `S01E02v2` and `S01E02-GRP` are.
        guard scanner.isAtEnd || scanner.isAtMark("v-") else { return nil }
        return EpisodeMark(words: place..<end, season: season, episode: first, lastEpisode: last)
    }

    /// A mark such as `1x02`.
    private static func cross(_ words: [NameWords.Word], _ place: Int) -> EpisodeMark? {
        var scanner = MarkScanner(words[place].text)
        guard let season = scanner.number(most: 2), season <= 40, scanner.take("x") else { return nil }
        let digits = scanner.rest
        guard (2...3).contains(digits), let episode = scanner.number(most: 3), scanner.isAtEnd else { return nil }
        return EpisodeMark(words: place..<(place + 1), season: season, episode: episode)
    }

    /// `2024.05.01`, `2024-05-01`, after the name of the series.
    private static func day(_ words: [NameWords.Word], _ place: Int) -> EpisodeMark? {
        guard place > 0 else { return nil }
        func isDay(year: Int, month: Int, day: Int) -> Bool {
            (1940...2099).contains(year) && (1...12).contains(month) && (1...31).contains(day)
        }
        let parts = words[place].text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2 {
            let numbers = parts.map { Int($0) ?? 0 }
            guard isDay(year: numbers[0], month: numbers[1], day: numbers[2]) else { return nil }
            return EpisodeMark(words: place..<(place + 1), season: numbers[0], episode: nil)
        }
        guard place + 2 < words.count, words[place].text.utf8.count == 4, words[place + 1].text.utf8.count == 2,
            words[place + 2].text.utf8.count == 2, let year = words[place].number, let month = words[place + 1].number,
            let number = words[place + 2].number, isDay(year: year, month: month, day: number)
        else { return nil }
        return EpisodeMark(words: place..<(place + 3), season: year, episode: nil)
    }

    /// `Show - 03`, and in a season's folder `03 - Title`, `Episode 3`, `E03`.
    private static func alone(_ words: [NameWords.Word], isInSeason: Bool) -> EpisodeMark? {
        for place in words.indices where !words[place].isBracketed {
            let isAfterDash = place > 0 && words[place - 1].text == "-"
            let isAfterWord = place > 0 && names.contains(words[place - 1].text.lowercased())
            var scanner = MarkScanner(words[place].text)
            let isMarked = isInSeason && (scanner.take("ep") || scanner.take("e"))
            let start = isAfterWord ? place - 1 : place
            guard isAfterDash || isAfterWord || isMarked || (isInSeason && place == 0),
                let episode = scanner.number(most: 4)
            else { continue }
            _ = scanner.take(".")
            guard scanner.isAtEnd || scanner.isAtMark("v") else { continue }
            return EpisodeMark(words: start..<(place + 1), season: nil, episode: episode)
        }
        return nil
    }

    private static let names: Set<String> = [
        "episode", "folge", "teil", "ep", "ep.", "épisode", "episodio", "capitulo",
    ]
}

/// A case-insensitive scanner of a word.
struct MarkScanner {
    private var text: Substring.UTF8View

    init(_ text: Substring) { self.text = text.utf8 }

    var isAtEnd: Bool { text.isEmpty }

    /// The number of remaining bytes.
    var rest: Int { text.count }

    /// Returns true if the next byte is one of these letters.
    func isAtMark(_ marks: String) -> Bool { text.first.map { marks.utf8.contains($0.asciiLowercased) } ?? false }

    /// Consumes these lower-case letters if they come next.
    mutating func take(_ letters: String) -> Bool {
        guard text.count >= letters.utf8.count,
            zip(text, letters.utf8).allSatisfy({ $0.asciiLowercased == $1 })
        else { return false }
        text = text.dropFirst(letters.utf8.count)
        return true
    }

    /// Consumes a number of at most `most` digits.
    mutating func number(most: Int) -> Int? {
        let digits = text.prefix(while: \.isDigit)
        guard (1...most).contains(digits.count), let number = Int(Substring(digits)) else { return nil }
        text = text.dropFirst(digits.count)
        return number
    }
}

struct SeasonFolder: Equatable {
    /// The series; nil if the folder is not in a series' folder.
    var series: String?
    /// The season; 0 for specials.
    var season: Int

    /// Parses the path of a folder; nil if it is not a season's.
    init?(_ path: String) {
        let folders = path.split(separator: "/")
        guard let last = folders.last else { return nil }
        let words = NameWords(String(last))
        guard let (place, number) = Self.season(words.words) else { return nil }
        season = number
        let above = folders.dropLast().last.map { NameWords(String($0)).show }
        series = words.title(upTo: place) ?? above
    }

    /// The index of the words that name a season, and its number.
    private static func season(_ words: [NameWords.Word]) -> (place: Int, number: Int)? {
        for place in words.indices {
            let word = words[place].text.lowercased()
            if words.count == 1, specials.contains(word) { return (place, 0) }
            if names.contains(word), place + 1 < words.count, let number = words[place + 1].number, number < 3000 {
                return (place, number)
            }
            if place > 0, place + 1 == words.count, names.contains(word), let number = Self.ordinal(words[place - 1]) {
                return (place - 1, number)
            }
            var scanner = MarkScanner(words[place].text)
            if scanner.take("s"), let number = scanner.number(most: 2), scanner.isAtEnd { return (place, number) }
        }
        return nil
    }

    /// `2.` and `2nd`, as in `2. Staffel`.
    private static func ordinal(_ word: NameWords.Word) -> Int? {
        var scanner = MarkScanner(word.text)
        guard let number = scanner.number(most: 2) else { return nil }
        return ["", ".", "st", "nd", "rd", "th", "ª", "a"].contains(word.text.drop(while: \.isNumber)) ? number : nil
    }

    private static let names: Set<String> = [
        "season", "staffel", "series", "saison", "temporada", "stagione", "seizoen", "säsong", "sæson", "sesong",
        "sezon",
    ]
    private static let specials: Set<String> = ["specials", "special", "extras"]
}
