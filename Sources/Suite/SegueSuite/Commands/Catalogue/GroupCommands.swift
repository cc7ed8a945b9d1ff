import Foundation
import SegueOrigin

/// The commands for groups of items.
struct GroupCommands: CommandFamily {
    let facts: ServerFacts

    /// The groups of items, by each kind, and the items of the first group.
    var groups: [ServerCommand] {
        ["folder", "series", "season", "artist", "album", "genre"].map(groups(by:))
            + [
                ServerCommand(
                    .groups,
                    "without by",
                    at: "api/groups",
                    expect: [.status(400), .error("badQuery", naming: "by")]
                ),
                ServerCommand(.groups, "a search that finds nothing", at: Self.nothing, expect: Self.groupList),
            ] + refused(.groups, at: "api/groups", parameter: "by", values: ["nothing"])
            + refused(.groups, at: "api/groups?by=folder", parameter: "offset", values: ["-1", "x"])
            + refused(.groups, at: "api/groups?by=folder", parameter: "limit", values: ["0", "10001"])
            + refused(.groups, at: "api/groups?by=folder", parameter: "kind", values: ["nothing"])
    }

    private static let nothing = "api/groups?by=artist&q=none-of-them"

    /// The HTTP features of a list of groups, which changes until all items are scanned.
    var features: ServerCommand {
        ServerCommand(.groups, "whether all items are scanned", at: Self.nothing, expect: Self.groupList).followed {
            guard Self.isScanned($0) else { return [] }
            return [
                ServerCommand(.groups, "a search among scanned items", at: Self.nothing, expect: Self.groupList)
                    .with([.tag, .packing, .parts, .constant])
            ]
        }
    }

    private static func isScanned(_ answer: CommandResponse) -> Bool {
        struct List: Decodable { var pending: Int }
        return (try? JSONDecoder().decode(List.self, from: Data(answer.body)).pending) == 0
    }

    private static let groupList: [Expectation] = [
        .status(200), .header("Content-Type", startsWith: "application/json"), .wholeLength,
        .fields(["groups", "total", "offset"]),
    ]

    private func groups(by kind: String) -> ServerCommand {
        ServerCommand(.groups, "by=\(kind)", at: "api/groups?by=\(kind)", expect: Self.groupList).followed { answer in
            guard let group = Self.groups(in: answer).first else { return [] }
            return [
                ServerCommand(
                    .items,
                    "the first \(kind)",
                    at: "api/items?wait=0&limit=1&\(group.query)",
                    expect: [
                        .status(200),
                        Expectation("at least one item") { answer in
                            LibraryCommands.items(in: answer).isEmpty ? "the group has no items" : nil
                        },
                    ]
                )
            ]
        }
    }

    private struct ListedGroup: Decodable {
        var query: String
    }

    private static func groups(in answer: CommandResponse) -> [ListedGroup] {
        struct List: Decodable { var groups: [ListedGroup] }
        return (try? JSONDecoder().decode(List.self, from: Data(answer.body)).groups) ?? []
    }
}
