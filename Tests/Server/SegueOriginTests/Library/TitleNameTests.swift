import Testing

@testable import SegueOrigin

@Suite struct `Names of films and episodes` {
    struct Expected: Sendable, CustomTestStringConvertible {
        var path: String
        var series: String?
        var season: Int?
        var episode: Int?
        var last: Int?
        var title: String?
        var year: Int?

        init(
            _ path: String,
            series: String? = nil,
            _ season: Int? = nil,
            _ episode: Int? = nil,
            last: Int? = nil,
            title: String? = nil,
            year: Int? = nil
        ) {
            (self.path, self.series, self.season, self.episode) = (path, series, season, episode)
            (self.last, self.title, self.year) = (last, title, year)
        }

        var testDescription: String { path }
    }

    @Test(arguments: [
        Expected("Show/Season 1/Show.S01E02.Title.1080p.x264-GRP", series: "Show", 1, 2, title: "Title"),
        Expected("Show - 1x02 - Title", series: "Show", 1, 2, title: "Title"),
        Expected("The Show/Staffel 2/03 - Der Titel", series: "The Show", 2, 3, title: "Der Titel"),
        Expected("The Show (2010)/Staffel 2/Folge 4", series: "The Show", 2, 4),
        Expected("Show/2. Staffel/E05 Ende", series: "Show", 2, 5, title: "Ende"),
        Expected(
            "Show.S02.German.1080p.WEB-DL.x264-GRP/show.s02e07.german.1080p",
            series: "Show",
            2,
            7
        ),
        Expected("Show/S03/Show S03E01 The Start [1080p]", series: "Show", 3, 1, title: "The Start"),
        Expected("Show/Specials/Show S00E01", series: "Show", 0, 1),
        Expected("Show/Specials/Making of", series: "Show", 0),
        Expected("[Group] Show - 03 [720p]", series: "Show", 1, 3),
        Expected("[Group] Long Name of a Show - 112v2 (1080p) [ABCD1234]", series: "Long Name of a Show", 1, 112),
        Expected("Show.S01E01E02.mixed", series: "Show", 1, 1, last: 2, title: "mixed"),
        Expected("Show S01E01-E03", series: "Show", 1, 1, last: 3),
        Expected("Show S01 E04 Name", series: "Show", 1, 4, title: "Name"),
        Expected("Show.2024.05.01.Guest.720p.WEB.h264", series: "Show", 2024, title: "Guest"),
        Expected("Show 2024-05-01", series: "Show", 2024),
        Expected("Show/S01E01", series: "Show", 1, 1),
        Expected("Film (1999)", title: "Film", year: 1999),
        Expected("Films/Film (1999) [1080p] {edition-Cut}", title: "Film", year: 1999),
        Expected("Film.1999.German.DL.1080p.BluRay", title: "Film", year: 1999),
        Expected("Some.Long.Film.1080p.BluRay.x264-GRP", title: "Some Long Film"),
        Expected("2001 A Space Odyssey (1968)", title: "2001 A Space Odyssey", year: 1968),
        Expected("1917.2019", title: "1917", year: 2019),
        Expected("Blade.Runner.2049.2017.2160p.UHD", title: "Blade Runner 2049", year: 2017),
        Expected("Wonder Woman 1984 (2020)", title: "Wonder Woman 1984", year: 2020),
    ])
    func `are parsed in all common forms`(expected: Expected) {
        #expect(Self.read(expected.path) == Self.found(expected))
    }

    @Test(arguments: [
        "Blade Runner 2049", "1917", "Death Race 2000", "Film", "h264-aac-long", "1920x1080", "pattern 16x9",
        "Artist - 03 - Song", "E.T.", "Se7en", "Ocean's Eleven", "24", "S", "S01", "x264", "1080p", "[Group]", "[",
        ")(", "",
        " ", "...", "s99999e1", "2024-13-45", "12-34-56",
    ])
    func `stay unchanged if they only resemble one`(name: String) {
        #expect(Self.read("Folder/\(name)") == Self.found(Expected(name)))
    }

    private static func read(_ path: String) -> TitleName {
        let slash = path.lastIndex(of: "/")
        return TitleName(
            folder: slash.map { String(path[..<$0]) } ?? "",
            name: slash.map { String(path[path.index(after: $0)...]) } ?? path
        )
    }

    private static func found(_ expected: Expected) -> TitleName {
        var name = TitleName(folder: "", name: "")
        (name.series, name.season, name.episode) = (expected.series, expected.season, expected.episode)
        (name.lastEpisode, name.title, name.year) = (expected.last, expected.title, expected.year)
        return name
    }
}

@Suite struct `Sort keys of names` {
    @Test func `ignore articles, case, and accents, and order numbers by value`() {
        let names = [
            "The Zebra", "die Biene", "Émile", "Zebra 10", "zebra 9", "A Cat", "An", "Track 2", "track 10", "The",
        ]
        let ordered = names.sorted { SortKey.order($0) < SortKey.order($1) }
        #expect(
            ordered == [
                "An", "die Biene", "A Cat", "Émile", "The", "Track 2", "track 10", "The Zebra", "zebra 9", "Zebra 10",
            ]
        )
    }

    @Test(arguments: [("Beyoncé", "beyonce"), ("MÖTÖRHEAD", "motorhead"), ("ＡＢＣ", "abc")])
    func `are equal for spellings of one name`(name: String, folded: String) {
        #expect(SortKey.folded(name) == folded)
    }
}
