import Foundation
import Origin

/// An item as the list tells of it, as far as commands need it.
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

extension CommandCatalogue {
    /// The page: usable without a script, and bound to what it needs.
    var pageCommands: [ServerCommand] {
        let page: [Expectation] = [
            .status(200), .header("Content-Type", startsWith: "text/html"), .hasHeader("Content-Security-Policy"),
            .text("<html"), .wholeLength,
        ]
        return [
            ServerCommand(.page, "", "", expect: page).with([]),
            ServerCommand(.page, "q=", "?q=none-of-them", expect: page),
            ServerCommand(.page, "offset=, limit=", "?offset=1&limit=1", expect: page),
        ] + refused(.page, "", "offset", ["-1", "x"]) + refused(.page, "", "limit", ["0", "99999999999999999999"])
    }

    /// The list of items, which leads to the items.
    var itemsCommands: [ServerCommand] {
        let list: [Expectation] = [
            .status(200), .header("Content-Type", startsWith: "application/json"), .wholeLength,
            .fields(["items", "total", "offset"]),
        ]
        let first = ServerCommand(.items, "", "api/items?limit=500&wait=10", expect: list) { answer in
            let items = Self.items(in: answer)
            let chosen = Self.chosen(from: items)
            return chosen.flatMap { itemCommands($0, isFirst: $0.id == chosen[0].id) } + searches(items)
        }
        return [
            first,
            // What is known of items grows; of none it does not.
            ServerCommand(.items, "a search that finds nothing", "api/items?q=none-of-them", expect: list + [.count(0)])
                .with([.tag, .packing, .parts, .constant]),
            ServerCommand(
                .items,
                "a folder that there is not",
                "api/items?folder=none-of-them",
                expect: list + [.count(0)]
            ),
            ServerCommand(.items, "limit=1", "api/items?limit=1", expect: list + [.count(1)]),
            ServerCommand(.items, "behind the end", "api/items?offset=10000000", expect: list + [.count(0)]),
            ServerCommand(.items, "a parameter that nobody knows", "api/items?_=1&limit=1", expect: list + [.count(1)]),
        ] + refused(.items, "api/items", "offset", ["-1", "x", "99999999999999999999"])
            + refused(.items, "api/items", "limit", ["0", "-1", "x", "10001"])
            + refused(.items, "api/items", "wait", ["-1", "31", "x"])
            + [
                ServerCommand(
                    .items,
                    "a search that is no text",
                    "api/items?q=%ff",
                    expect: [.status(400), .error("badQuery", naming: "q")]
                )
            ]
    }

    private func searches(_ items: [ListedItem]) -> [ServerCommand] {
        guard let item = items.first else { return [] }
        let word = item.title.split { !$0.isLetter && !$0.isNumber }.first.map(String.init) ?? item.title
        var commands = [
            ServerCommand(
                .items,
                "a search for the first item",
                "api/items?limit=10000&q=\(Self.encoded(word))",
                expect: [.status(200), .lists(item.id)]
            ),
            ServerCommand(
                .page,
                "the first item, without a script",
                "?limit=1",
                expect: [.status(200), .text(item.id)]
            ),
        ]
        if !item.folder.isEmpty {
            commands.append(
                ServerCommand(
                    .items,
                    "the folder of the first item",
                    "api/items?limit=10000&folder=\(Self.encoded(item.folder))",
                    expect: [.status(200), .lists(item.id)]
                )
            )
        }
        return commands
    }

    static func items(in answer: CommandAnswer) -> [ListedItem] {
        struct List: Decodable { var items: [ListedItem] }
        return (try? JSONDecoder().decode(List.self, from: Data(answer.body)).items) ?? []
    }

    /// One item for each thing that an item may be; the shortest, as its segments cost least.
    static func chosen(from items: [ListedItem]) -> [ListedItem] {
        let known = items.filter { $0.state == "known" }.sorted {
            ($0.duration ?? .infinity) < ($1.duration ?? .infinity)
        }
        let kinds: [(ListedItem) -> Bool] = [
            { $0.kind == "movie" && $0.links.background != nil },
            { $0.kind == "movie" && $0.links.background == nil && $0.links.play != nil },
            { item in item.streams.count { $0.kind == "audio" } > 1 },
            { item in item.streams.contains { $0.kind == "subtitle" } && item.links.play != nil },
            { $0.kind == "music" }, { $0.kind == "musicWithArtwork" },
        ]
        var chosen: [ListedItem] = []
        for item in kinds.compactMap({ kind in known.first(where: kind) })
            + items.filter({ $0.state == "failed" }).prefix(1)
        where !chosen.contains(where: { $0.id == item.id }) {
            chosen.append(item)
        }
        return chosen
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension Expectation {
    /// The list has so many items.
    fileprivate static func count(_ count: Int) -> Expectation {
        Expectation("\(count) items") { answer in
            let came = CommandCatalogue.items(in: answer).count
            return came == count ? nil : "\(came) items came"
        }
    }

    /// The list has this item.
    fileprivate static func lists(_ id: String) -> Expectation {
        Expectation("the item") { answer in
            CommandCatalogue.items(in: answer).contains { $0.id == id } ? nil : "the item is not in the list"
        }
    }
}
