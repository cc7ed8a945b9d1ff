import SegueOrigin

/// The commands for resume positions.
struct ResumeCommands: CommandFamily {
    let facts: ServerFacts

    var points: [ServerCommand] {
        [
            ServerCommand(
                .resume,
                "",
                at: "api/resume",
                expect: [
                    .status(200), .header("Content-Type", startsWith: "application/json"), .wholeLength,
                    .fields(["points"]),
                ]
            ).with([]),
            ServerCommand(
                .resume,
                "changes since the distant future",
                at: "api/resume?since=2999-01-01T00:00:00Z",
                expect: [.status(200), .wholeLength, .fields(["points"])]
            ).with([.tag, .packing, .parts, .constant]),
        ] + refused(.resume, at: "api/resume", parameter: "since", values: ["x", "0"])
    }

    /// Resume positions of an item.
    ///
    /// Only requests that are refused are sent, so no stored position changes.
    func point(_ id: String, isThere: Bool) -> [ServerCommand] {
        let target = "api/resume/\(id)"
        func put(
            _ name: String,
            body: String,
            type: String? = "application/json",
            expect expected: [Expectation]
        ) -> ServerCommand {
            var command = ServerCommand(
                .resumePoint,
                name,
                at: target,
                method: "PUT",
                headers: type.map { [("Content-Type", $0)] } ?? [],
                expect: expected
            )
            command.body = Array(body.utf8)
            return command
        }
        let allowed = Expectation.header("Allow", lists: ["DELETE", "OPTIONS", "POST", "PUT"])
        let long = "{\"position\":1,\"x\":\"\(String(repeating: "x", count: 9000))\"}"
        var commands = ["GET", "PATCH"].map { method in
            ServerCommand(
                .resumePoint,
                "",
                at: target,
                method: method,
                expect: [.status(405), allowed, .error("methodNotAllowed")]
            )
        }
        commands.append(put("too long", body: long, expect: [.status(413), .error("bodyTooLong")]))
        guard isThere else {
            return commands + [
                put("no such item", body: "{\"position\":1}", expect: [.status(404), .error("notFound")]),
                ServerCommand(
                    .resumePoint,
                    "no such item",
                    at: target,
                    method: "DELETE",
                    expect: [.status(404), .error("notFound")]
                ),
            ]
        }
        return commands + [
            ServerCommand(
                .resumePoint,
                "",
                at: target,
                method: "OPTIONS",
                expect: [.status(204), allowed, .noBody]
            ),
            put("another type", body: "position=1", type: "text/plain", expect: [.status(415), .error("notJSON")]),
            put("no type", body: "{\"position\":1}", type: nil, expect: [.status(415), .error("notJSON")]),
            put("invalid JSON", body: "{", expect: [.status(400), .error("badBody")]),
            put("nothing", body: "", expect: [.status(400), .error("badBody")]),
            put("before the beginning", body: "{\"position\":-1}", expect: [.status(400), .error("badBody")]),
            put("an invalid time", body: "{\"position\":1,\"at\":\"x\"}", expect: [.status(400), .error("badBody")]),
        ]
    }
}
