import SegueOrigin

/// The HTTP features of a resource.
struct HTTPFeatures: OptionSet {
    let rawValue: Int

    /// An entity tag and conditional requests.
    static let tag = HTTPFeatures(rawValue: 1)
    static let parts = HTTPFeatures(rawValue: 2)
    static let packing = HTTPFeatures(rawValue: 4)
    /// A body that never changes.
    static let constant = HTTPFeatures(rawValue: 8)
}

extension ServerCommand {
    /// The command, followed by requests for HTTP features of its resource.
    func with(_ manners: HTTPFeatures) -> ServerCommand {
        var command = self
        command.next = { [next, self] answer in
            next(answer) + HTTPFeatureCommands(command: self, answer: answer, manners: manners).commands
        }
        return command
    }

    /// The same resource, requested in another way.
    fileprivate func but(
        _ name: String,
        method: String? = nil,
        _ headers: [(name: String, value: String)] = [],
        expect expected: [Expectation]
    ) -> ServerCommand {
        ServerCommand(
            route,
            [self.name, name].filter { !$0.isEmpty }.joined(separator: ", "),
            at: target,
            method: method ?? self.method,
            headers: self.headers + headers,
            expect: expected
        )
    }
}

/// The commands that follow from the first response of a resource (RFC 9110).
private struct HTTPFeatureCommands {
    let command: ServerCommand
    let answer: CommandResponse
    let manners: HTTPFeatures

    var commands: [ServerCommand] {
        methods + (manners.contains(.tag) ? conditions : []) + (manners.contains(.parts) ? parts : [])
            + (manners.contains(.packing) ? packings : [])
    }

    private var size: Int { answer.body.count }
    private var tag: String { answer.header("etag") ?? "" }
    private var same: Expectation { .body(answer.body, "the same bytes") }

    private var methods: [ServerCommand] {
        var head = [Expectation.status(200), .noBody]
        if let type = answer.header("content-type") { head.append(.header("Content-Type", type)) }
        if manners.contains(.constant) {
            if let length = answer.header("content-length") { head.append(.header("Content-Length", length)) }
            if manners.contains(.tag) { head.append(.header("ETag", tag)) }
        }
        let refused = ["POST", "DELETE", "PATCH"].map { method in
            command.but(
                "",
                method: method,
                expect: [
                    .status(405), .header("Allow", lists: ["GET", "HEAD", "OPTIONS"]), .error("methodNotAllowed"),
                ]
            )
        }
        return [
            command.but("", method: "HEAD", expect: head),
            command.but(
                "",
                method: "OPTIONS",
                expect: [.status(204), .header("Allow", lists: ["GET", "HEAD", "OPTIONS"]), .noBody]
            ),
        ] + refused
    }

    private var conditions: [ServerCommand] {
        [
            command.but(
                "the same tag",
                [("If-None-Match", tag)],
                expect: [.status(304), .noBody, .header("ETag", tag)]
            ),
            command.but(
                "the same tag among others, weak",
                [("If-None-Match", "\"x\", W/\(tag)")],
                expect: [.status(304), .noBody]
            ),
            command.but("any tag", [("If-None-Match", "*")], expect: [.status(304), .noBody]),
            command.but("another tag", [("If-None-Match", "\"x\"")], expect: [.status(200), same]),
            command.but("if the tag is the same", [("If-Match", tag)], expect: [.status(200), same]),
            command.but("if the tag is another", [("If-Match", "\"x\"")], expect: [.status(412), .error(nil)]),
        ]
    }

    private var parts: [ServerCommand] {
        guard size > 20 else { return [] }
        let middle = size / 2
        var commands = [
            part("bytes=0-0", 0..<1), part("bytes=1-9", 1..<10), part("bytes=\(middle)-", middle..<size),
            part("bytes=-7", (size - 7)..<size), part("bytes=-\(size + 1)", 0..<size),
            part("bytes=\(size - 1)-9223372036854775807", (size - 1)..<size),
            command.but(
                "a range beyond the end",
                [("Range", "bytes=\(size)-")],
                expect: [.status(416), .header("Content-Range", "bytes */\(size)"), .error(nil)]
            ),
            command.but("a range that ends before it begins", [("Range", "bytes=9-3")], expect: [.status(200), same]),
            command.but("a range in another unit", [("Range", "seconds=0-1")], expect: [.status(200), same]),
            command.but("an invalid range", [("Range", "bytes=x")], expect: [.status(200), same]),
            command.but(
                "two ranges",
                [("Range", "bytes=0-3,10-13")],
                expect: [
                    .status(206), .header("Content-Type", startsWith: "multipart/byteranges; boundary="),
                    .holds([answer.body[0..<4], answer.body[10..<14]]),
                ]
            ),
            command.but(
                "a range of another version",
                [("Range", "bytes=0-3"), ("If-Range", "\"x\"")],
                expect: [.status(200), same]
            ),
        ]
        if manners.contains(.tag) {
            commands.append(
                command.but(
                    "a range of this version",
                    [("Range", "bytes=0-3"), ("If-Range", tag)],
                    expect: [.status(206), .body(Array(answer.body[0..<4]), "bytes 0-3")]
                )
            )
        }
        return commands
    }

    private func part(_ range: String, _ bytes: Range<Int>) -> ServerCommand {
        command.but(
            "range \(range)",
            [("Range", range)],
            expect: [
                .status(206),
                .header("Content-Range", "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(size)"),
                .header("Content-Length", "\(bytes.count)"),
                .body(Array(answer.body[bytes]), "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)"),
            ]
        )
    }

    private var packings: [ServerCommand] {
        let packed: [Expectation] = [
            .status(200), .header("Content-Encoding", "gzip"), .header("Vary", lists: ["Accept-Encoding"]), same,
        ]
        return [
            command.but("packed", [("Accept-Encoding", "gzip")], expect: packed),
            command.but("compressed with any coding", [("Accept-Encoding", "br, *")], expect: packed),
            command.but(
                "not compressed with a refused coding",
                [("Accept-Encoding", "gzip;q=0, identity")],
                expect: [.status(200), .noHeader("Content-Encoding"), same]
            ),
        ]
    }
}
