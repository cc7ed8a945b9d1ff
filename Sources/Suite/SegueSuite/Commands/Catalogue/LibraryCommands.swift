import Foundation
import SegueOrigin

/// The fields of an item in the list that commands need.
struct ListedItem: Decodable, Sendable {
    struct Links: Decodable {
        var play: String?
        var background: String?
        var master: String?
        var artwork: String?
    }

    struct Stream: Decodable {
        var kind: String
    }

    var id: String
    var title: String
    var folder: String
    var kind: String
    var state: String
    var duration: Double?
    var streams: [Stream]
    var links: Links
}

/// The commands for the page and for the list of items, from which the items follow.
struct LibraryCommands: CommandFamily {
    let facts: ServerFacts

    /// The page: usable without scripts, and restricted to its own resources.
    var page: [ServerCommand] {
        let expected: [Expectation] = [
            .status(200), .header("Content-Type", startsWith: "text/html"), .hasHeader("Content-Security-Policy"),
            .text("<html"), .wholeLength,
        ]
        return [
            ServerCommand(.page, "", at: "", expect: expected).followed(by: pageFiles).with([]),
            ServerCommand(.page, "q=", at: "?q=none-of-them", expect: expected),
            ServerCommand(.page, "offset=, limit=", at: "?offset=1&limit=1", expect: expected),
        ] + refused(.page, at: "", parameter: "offset", values: ["-1", "x"])
            + refused(.page, at: "", parameter: "limit", values: ["0", "99999999999999999999"])
    }

    /// The files that a page links to.
    @Sendable private func pageFiles(_ answer: CommandResponse) -> [ServerCommand] {
        let names = (answer.text ?? "").matches(of: /(?:href|src)="(page\/[^"]+)"/).map { String($0.output.1) }
        return Set(names).sorted().map { name in
            ServerCommand(
                .pageFile,
                name.split(separator: "/").last.map(String.init) ?? "",
                at: name,
                expect: [
                    .status(200), .wholeLength, .strongTag, .hasHeader("Content-Type"),
                    keptForEver,
                ]
            ).with([.tag, .parts, .packing, .constant])
        }
    }

    /// The list of items, from which the items follow.
    var items: [ServerCommand] {
        let list: [Expectation] = [
            .status(200), .header("Content-Type", startsWith: "application/json"), .wholeLength,
            .fields(["items", "total", "offset"]),
        ]
        let first = ServerCommand(.items, "", at: "api/items?limit=500&wait=10", expect: list).followed { answer in
            let items = Self.items(in: answer)
            let candidates = Self.candidates(from: items)
            return candidates.indices.flatMap { probes(candidates[$0][...], isFirst: $0 == 0) } + searches(items)
                + [GroupCommands(facts: facts).features]
        }
        return [
            first,
            // Scanning adds details to items, but never to an empty list.
            ServerCommand(
                .items,
                "a search that finds nothing",
                at: "api/items?q=none-of-them",
                expect: list + [.count(0)]
            )
            .with([.tag, .packing, .parts, .constant]),
            ServerCommand(
                .items,
                "an unknown folder",
                at: "api/items?folder=none-of-them",
                expect: list + [.count(0)]
            ),
            ServerCommand(.items, "limit=1", at: "api/items?limit=1", expect: list + [.count(1)]),
            ServerCommand(.items, "beyond the end", at: "api/items?offset=10000000", expect: list + [.count(0)]),
            ServerCommand(.items, "an unknown parameter", at: "api/items?_=1&limit=1", expect: list + [.count(1)]),
        ] + refused(.items, at: "api/items", parameter: "offset", values: ["-1", "x", "99999999999999999999"])
            + refused(.items, at: "api/items", parameter: "limit", values: ["0", "-1", "x", "10001"])
            + refused(.items, at: "api/items", parameter: "wait", values: ["-1", "31", "x"])
            + listings
            + [
                ServerCommand(
                    .items,
                    "a search that is not UTF-8",
                    at: "api/items?q=%ff",
                    expect: [.status(400), .error("badQuery", naming: "q")]
                )
            ]
    }

    /// The list in other orders, and filters.
    private var listings: [ServerCommand] {
        let keys = ["title", "added", "year", "duration", "recent"].flatMap { ["sort=\($0)", "sort=-\($0)"] }
        let filters = ["kind=movie", "kind=music", "artist=none-of-them", "album=none-of-them", "series=none-of-them"]
        var commands = (keys + filters).map { query in
            ServerCommand(
                .items,
                query,
                at: "api/items?wait=0&limit=3&\(query)",
                expect: [.status(200), .fields(["items", "total"])]
            )
        }
        commands += refused(.items, at: "api/items", parameter: "kind", values: ["nothing"])
        commands += refused(.items, at: "api/items", parameter: "sort", values: ["size", "--title"])
        commands += refused(.items, at: "api/items", parameter: "season", values: ["-1", "x"])
        return commands
    }

    private func searches(_ items: [ListedItem]) -> [ServerCommand] {
        guard let item = items.first else { return [] }
        let word = item.title.split { !$0.isLetter && !$0.isNumber }.first.map(String.init) ?? item.title
        var commands = [
            ServerCommand(
                .items,
                "a search for the first item",
                at: "api/items?limit=10000&q=\(Self.encoded(word))",
                expect: [.status(200), .lists(item.id)]
            ),
            ServerCommand(
                .page,
                "the first item, without a script",
                at: "?limit=1",
                expect: [.status(200), .text(item.id)]
            ),
        ]
        if !item.folder.isEmpty {
            commands.append(
                ServerCommand(
                    .items,
                    "the folder of the first item",
                    at: "api/items?limit=10000&folder=\(Self.encoded(item.folder))",
                    expect: [.status(200), .lists(item.id)]
                )
            )
        }
        return commands
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    static func items(in answer: CommandResponse) -> [ListedItem] {
        struct List: Decodable { var items: [ListedItem] }
        return (try? JSONDecoder().decode(List.self, from: Data(answer.body)).items) ?? []
    }

    /// The maximum number of items of a kind to try until one can be played.
    private static let mostCandidates = 8

    /// The candidates of each kind for item commands, the best first.
    ///
    /// They are long enough for an offset and otherwise short. Only opening shows whether one can be played.
    private static func candidates(from items: [ListedItem]) -> [[ListedItem]] {
        let known = items.filter { $0.state == "known" }.sorted { one, other in
            let (left, right) = (one.duration ?? .infinity, other.duration ?? .infinity)
            return (left < 2 ? 1 : 0, left, one.id) < (right < 2 ? 1 : 0, right, other.id)
        }
        let kinds: [(ListedItem) -> Bool] = [
            { $0.kind == "movie" && $0.links.background != nil },
            { $0.kind == "movie" && $0.links.background == nil && $0.links.play != nil },
            { item in item.streams.count { $0.kind == "audio" } > 1 },
            { item in item.streams.contains { $0.kind == "subtitle" } && item.links.play != nil },
            { $0.kind == "music" }, { $0.kind == "musicWithArtwork" },
        ]
        let found = kinds.map { kind in Array(known.filter(kind).prefix(mostCandidates)) }
        return found.filter { !$0.isEmpty } + items.filter { $0.state == "failed" }.prefix(1).map { [$0] }
    }

    /// The commands for the first playable item of a list.
    private func probes(_ items: ArraySlice<ListedItem>, isFirst: Bool) -> [ServerCommand] {
        guard let item = items.first else { return [] }
        let commands = ItemCommands(facts: facts).commands(for: item, isFirst: isFirst)
        if item.state == "failed" || item.links.play == nil { return commands }
        let isPlayable = Expectation("200, or 422 with the reason") { answer in
            answer.status == 200 ? nil : Expectation.first(of: [.status(422), .error(nil)], notIn: answer)
        }
        let target = "items/\(item.id)/master.m3u8"
        return [
            ServerCommand(.master, "whether it can be played", at: target, expect: [isPlayable]).followed { answer in
                guard answer.status == 200 else { return probes(items.dropFirst(), isFirst: isFirst) }
                return commands
            }
        ]
    }
}

extension Expectation {
    /// The list has this number of items.
    fileprivate static func count(_ count: Int) -> Expectation {
        Expectation("\(count) items") { answer in
            let came = LibraryCommands.items(in: answer).count
            return came == count ? nil : "the list has \(came) items, expected \(count)"
        }
    }

    /// The list contains this item.
    fileprivate static func lists(_ id: String) -> Expectation {
        Expectation("the item") { answer in
            LibraryCommands.items(in: answer).contains { $0.id == id } ? nil : "the item is not in the list"
        }
    }
}
