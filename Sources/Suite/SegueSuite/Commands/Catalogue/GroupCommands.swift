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
                ServerCommand(
                    .groups,
                    "a search that finds nothing",
                    at: "api/groups?by=artist&q=none-of-them",
                    expect: Self.groupList
                ).with([.tag, .packing, .parts, .constant]),
            ] + refused(.groups, at: "api/groups", parameter: "by", values: ["nothing"])
            + refused(.groups, at: "api/groups?by=folder", parameter: "offset", values: ["-1", "x"])
            + refused(.groups, at: "api/groups?by=folder", parameter: "limit", values: ["0", "10001"])
            + refused(.groups, at: "api/groups?by=folder", parameter: "kind", values: ["nothing"])
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
