import SegueOrigin

/// The commands for resume positions.
struct ResumeCommands: CommandFamily {
    let facts: ServerFacts

    var points: [ServerCommand] {
        [
            ServerCommand(
                .resume,
                "",
                "api/resume",
                expect: [
                    .status(200), .header("Content-Type", startsWith: "application/json"), .wholeLength,
                    .fields(["points"]),
                ]
            ).with([]),
            ServerCommand(
                .resume,
                "changes since the distant future",
                "api/resume?since=2999-01-01T00:00:00Z",
                expect: [.status(200), .wholeLength, .fields(["points"])]
            ).with([.tag, .packing, .parts, .constant]),
        ] + refused(.resume, "api/resume", "since", ["x", "0"])
    }

    /// Resume positions of an item.
    ///
    /// Only requests that are refused are sent, so no stored position changes.
    func point(_ id: String, isThere: Bool) -> [ServerCommand] {
        let target = "api/resume/\(id)"
        func put(_ name: String, _ body: String, type: String?, _ expected: [Expectation]) -> ServerCommand {
            var command = ServerCommand(
                .resumePoint,
                name,
                target,
                method: "PUT",
                headers: type.map { [("Content-Type", $0)] } ?? [],
                expect: expected
            )
            command.body = Array(body.utf8)
            return command
        }
        let json = "application/json"
        let long = "{\"position\":1,\"x\":\"\(String(repeating: "x", count: 9000))\"}"
        var commands = ["GET", "PATCH"].map { method in
            ServerCommand(
                .resumePoint,
                "",
                target,
                method: method,
                expect: [
                    .status(405), .header("Allow", lists: ["DELETE", "OPTIONS", "POST", "PUT"]),
                    .error("methodNotAllowed"),
                ]
            )
        }
        commands.append(put("too long", long, type: json, [.status(413), .error("bodyTooLong")]))
        guard isThere else {
            return commands + [
                put("no such item", "{\"position\":1}", type: json, [.status(404), .error("notFound")]),
                ServerCommand(
                    .resumePoint,
                    "no such item",
                    target,
                    method: "DELETE",
                    expect: [.status(404), .error("notFound")]
                ),
            ]
        }
        return commands + [
            ServerCommand(
                .resumePoint,
                "",
                target,
                method: "OPTIONS",
                expect: [.status(204), .header("Allow", lists: ["DELETE", "OPTIONS", "POST", "PUT"]), .noBody]
            ),
            put("another type", "position=1", type: "text/plain", [.status(415), .error("notJSON")]),
            put("no type", "{\"position\":1}", type: nil, [.status(415), .error("notJSON")]),
            put("invalid JSON", "{", type: json, [.status(400), .error("badBody")]),
            put("nothing", "", type: json, [.status(400), .error("badBody")]),
            put("before the beginning", "{\"position\":-1}", type: json, [.status(400), .error("badBody")]),
            put("an invalid time", "{\"position\":1,\"at\":\"x\"}", type: json, [.status(400), .error("badBody")]),
        ]
    }
}
