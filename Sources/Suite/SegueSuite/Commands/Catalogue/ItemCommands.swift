import SegueOrigin
import SeguePlaylists

struct ItemCommands: CommandFamily {
    let facts: ServerFacts

    /// For the first item, also those with the same response for all items.
    func commands(for item: ListedItem, isFirst: Bool) -> [ServerCommand] {
        if item.state == "failed" { return failedCommands(item) }
        let about = "a \(Self.words(for: item))"
        var commands = [
            ServerCommand(
                .item,
                about,
                at: "api/items/\(item.id)",
                expect: [
                    .status(200), .header("Content-Type", startsWith: "application/json"), .wholeLength,
                    .fields(["id", "title", "kind", "streams", "links"]),
                ]
            ).with([.tag, .packing, .parts, .constant]),
            original(item, about),
        ]
        commands += refused(.item, at: "api/items/\(item.id)", parameter: "device", values: ["nothing"])
        commands += artwork(item, about)
        if isFirst { commands += ResumeCommands(facts: facts).point(item.id, isThere: true) }
        guard item.links.play != nil else { return commands }
        let lists = PlaylistCommands(facts: facts)
        return commands + lists.playlists(item, about, hasDevices: isFirst) + (isFirst ? lists.refused(item) : [])
    }

    private static func words(for item: ListedItem) -> String {
        switch item.kind {
        case "movie" where item.links.background == nil: "silent film"
        case "movie": item.streams.count { $0.kind == "audio" } > 1 ? "film with several audio tracks" : "film"
        case "musicWithArtwork": "song with cover art"
        default: "song"
        }
    }

    private func original(_ item: ListedItem, _ about: String) -> ServerCommand {
        ServerCommand(
            .original,
            about,
            at: "items/\(item.id)/original",
            expect: [
                .status(200), .wholeLength, .strongTag, .header("Accept-Ranges", "bytes"), .hasHeader("Last-Modified"),
                .hasHeader("Content-Type"), .header("Content-Disposition", startsWith: "inline"),
            ]
        ).followed { answer in
            guard let date = answer.header("last-modified") else { return [] }
            return [
                ServerCommand(
                    .original,
                    "\(about), the same date",
                    at: "items/\(item.id)/original",
                    headers: [("If-Modified-Since", date)],
                    expect: [.status(304), .noBody]
                ),
                ServerCommand(
                    .original,
                    "\(about), if unmodified since 1970",
                    at: "items/\(item.id)/original",
                    headers: [("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:01 GMT")],
                    expect: [.status(412), .error(nil)]
                ),
            ]
        }.with([.tag, .parts, .constant])
    }

    private func artwork(_ item: ListedItem, _ about: String) -> [ServerCommand] {
        let target = "items/\(item.id)/artwork.jpg"
        guard item.links.artwork != nil else { return [] }
        let video: [Expectation] = [
            .status(200), .header("Content-Type", startsWith: "image/"), .wholeLength, .strongTag,
            .begins([[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47]], "JPEG or PNG"),
        ]
        // Only a request shows whether a frame can be extracted.
        let perhaps = Expectation("an image, or 404 for a film without one") { answer in
            let isNone = item.kind == "movie" && answer.status == 404
            return Expectation.first(of: isNone ? [.error("notFound")] : video, notIn: answer)
        }
        let whole = ServerCommand(.artwork, about, at: target, expect: [perhaps])
        let manners = whole.with([.tag, .parts, .constant])
        return [
            whole.followed { $0.status == 200 ? manners.next($0) : [] },
            ServerCommand(.artwork, "\(about), width=64", at: "\(target)?width=64", expect: [perhaps]),
        ] + refused(.artwork, at: target, parameter: "width", values: ["0", "-1", "x", "10001"])
    }

    private func failedCommands(_ item: ListedItem) -> [ServerCommand] {
        let why: [Expectation] = [.status(422), .error(nil)]
        return [
            ServerCommand(
                .item,
                "a broken file",
                at: "api/items/\(item.id)",
                expect: [.status(200), .fields(["error"])]
            ),
            ServerCommand(.master, "a broken file", at: "items/\(item.id)/master.m3u8", expect: why),
            ServerCommand(.media, "a broken file", at: "items/\(item.id)/index.m3u8", expect: why),
            ServerCommand(
                .media,
                "a broken file, background=1",
                at: "items/\(item.id)/index.m3u8?background=1",
                expect: why
            ),
            ServerCommand(
                .original,
                "a broken file",
                at: "items/\(item.id)/original",
                expect: [.status(200), .wholeLength, .strongTag]
            ),
        ]
    }
}
