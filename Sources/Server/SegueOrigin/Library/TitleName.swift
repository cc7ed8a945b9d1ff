/// The series, season, and episode, or the title and year, in the name of a video file and its folders.
///
/// Supported names: `Show/Season 1/Show.S01E02.Title.1080p.x264-GRP.mkv`, `Show - 1x02 - Title.avi`, `Film (1999).mkv`,
/// `Film.1999.German.DL.1080p.BluRay.mkv`, `[Group] Show - 03 [720p].mkv`. Names that only resemble them stay as they
/// are.
struct TitleName: Sendable, Equatable {
    /// The title of the film or episode; nil if the name contains none.
    var title: String?
    /// The year of a film.
    var year: Int?
    var series: String?
    /// The season: 0 for specials, and the year if episodes are named after dates.
    var season: Int?
    /// The episode, or the first one in the file.
    var episode: Int?
    /// The last episode in a file of several.
    var lastEpisode: Int?

    /// - Parameters:
    ///   - folder: The path of the folder below the root.
    ///   - name: The file's name without its extension.
    init(folder: String, name: String) {
        let words = NameWords(name)
        let place = SeasonFolder(folder)
        if let found = EpisodeMark(in: words.words, isGrouped: words.isGrouped, isInSeason: place != nil) {
            let before = words.title(upTo: found.words.lowerBound)
            let lastFolder = folder.split(separator: "/").last.map { NameWords(String($0)).show }
            guard let series = place?.series ?? before ?? lastFolder, !series.isEmpty else { return }
            self.series = series
            season = found.season ?? place?.season ?? 1
            episode = found.episode
            lastEpisode = found.lastEpisode
            title = words.title(from: found.words.upperBound)
        } else if let place, let series = place.series {
            self.series = series
            season = place.season
        } else if let end = words.yearPlace {
            title = words.title(upTo: end)
            year = title == nil ? nil : words.words[end].number
        } else if let end = words.releasePlace {
            title = words.title(upTo: end)
        }
    }
}

/// The words of a file name.
struct NameWords {
    /// A word, or a separate dash or bracket.
    struct Word: Equatable {
        var text: Substring
        var isBracketed: Bool

        /// The number, if the word consists of at most six digits.
        var number: Int? { text.utf8.count < 7 && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil }

        fileprivate var isDash: Bool { text == "-" || text == "–" || text == "—" }
    }

    /// The words without brackets.
    private(set) var words: [Word] = []
    /// True if the name starts with a group in square brackets.
    private(set) var isGrouped = false
    /// True if dots separate the words.
    let isDotted: Bool

    /// The plausible release years.
    private static let years = 1895...2039

    init(_ name: String) {
        isDotted = !name.contains(" ")
        var depth = 0
        var word = name.startIndex..<name.startIndex
        func end(_ words: inout [Word]) {
            if !word.isEmpty { words.append(Word(text: name[word], isBracketed: depth > 0)) }
        }
        for place in name.indices {
            let next = name.index(after: place)
            switch name[place] {
            case "(", "[", "{":
                if words.isEmpty, word.isEmpty, name[place] == "[" { isGrouped = true }
                end(&words)
                depth += 1
            case ")", "]", "}":
                end(&words)
                depth = max(0, depth - 1)
            case " ", "_", "\u{A0}", "\u{3000}": end(&words)
            case "." where isDotted: end(&words)
            default:
                word = (word.isEmpty ? place : word.lowerBound)..<next
                continue
            }
            word = next..<next
        }
        end(&words)
        guard isGrouped else { return }
        // The group's name is not part of a title.
        let rest = words.drop(while: \.isBracketed)
        if rest.isEmpty { isGrouped = false } else { words = Array(rest) }
    }

    /// The index of a film's year: in brackets, or bare if its surroundings show that it is one.
    var yearPlace: Int? {
        let all = words.indices.dropFirst().filter {
            words[$0].text.utf8.count == 4 && words[$0].number.map(Self.years.contains) == true
        }
        if let place = all.last(where: { words[$0].isBracketed }) { return place }
        return all.last { place in
            if place == words.indices.last { return isDotted }
            return words[place + 1].isRelease || (isDotted && releasePlace.map { $0 > place } == true)
        }
    }

    /// The index of the first word about the release.
    var releasePlace: Int? {
        guard var place = words.indices.dropFirst().first(where: { words[$0].isStrongRelease }) else { return nil }
        while place > 1, words[place - 1].isRelease { place -= 1 }
        return place
    }

    /// The words before an index as a title, or nil if none remain.
    func title(upTo end: Int) -> String? { Self.title(words[..<end].filter { !$0.isBracketed }) }

    /// The words from an index on, as far as they form a title; nil if they form none.
    func title(from start: Int) -> String? {
        var title = words[start...].prefix { !$0.isBracketed && !$0.isStrongRelease }
        if title.endIndex < words.endIndex {
            while title.last?.isRelease == true { title.removeLast() }
        }
        return Self.title(title)
    }

    /// The name of a series in a folder's name, without the year and the release.
    var show: String {
        title(upTo: yearPlace ?? releasePlace ?? words.count) ?? words.map(\.text).joined(separator: " ")
    }

    private static func title(_ words: some BidirectionalCollection<Word>) -> String? {
        var words = Array(words)
        while words.first?.isDash == true { words.removeFirst() }
        while words.last?.isDash == true { words.removeLast() }
        return words.isEmpty ? nil : words.map(\.text).joined(separator: " ")
    }
}

extension NameWords.Word {
    /// True for words that only releases have.
    fileprivate var isStrongRelease: Bool {
        let word = text.lowercased()
        // The release group follows a dash.
        return Self.strong.contains(word) || Self.strong.contains(word.prefix { $0 != "-" }.description)
    }

    /// True for words of releases that titles may have, too.
    fileprivate var isRelease: Bool { isStrongRelease || Self.weak.contains(text.lowercased()) }

    private static let strong: Set<String> = [
        "480p", "540p", "576p", "720p", "1080i", "1080p", "1440p", "2160p", "4320p", "bluray", "blu-ray", "bdrip",
        "brrip",
        "dvdrip", "dvd5", "dvd9", "webrip", "web-dl", "webdl", "hdtv", "hdtvrip", "hdrip", "pdtv", "x264", "x265",
        "h264",
        "h265", "h.264", "h.265", "hevc", "xvid", "divx", "remux", "uhd", "hdr10", "dts-hd", "truehd", "10bit",
    ]

    private static let weak: Set<String> = [
        "german", "english", "french", "italian", "spanish", "dutch", "danish", "swedish", "japanese", "truefrench",
        "multi", "dual", "dl", "ml", "dubbed", "subbed", "web", "dvd", "hdr", "4k", "proper", "repack", "internal",
        "ac3",
        "ac3d", "aac", "dts", "unrated", "extended", "uncut", "remastered", "complete", "limited", "retail", "vff",
        "vostfr",
    ]
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
