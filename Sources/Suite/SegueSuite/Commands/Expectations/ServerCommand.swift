package import SegueOrigin

/// One request to a server, with what must come back.
package struct ServerCommand: Sendable {
    /// The kind of resource that it is about.
    package var route: RouteName

    /// What is peculiar to it, in a few words.
    package var name: String

    /// The method.
    package var method = "GET"

    /// The address, relative to the server's: no slash at the beginning.
    package var target: String

    /// With which key it is asked.
    package var key = CommandKey.own

    /// Header fields beside those that every client sends.
    package var headers: [(name: String, value: String)] = []

    /// What is sent with it; nil for nothing.
    package var body: [UInt8]?

    /// How many bytes of an answer without an end are enough; nil for an answer that ends.
    package var enough: Int?

    /// What must come back.
    package var expected: [Expectation]

    /// What the answer leads to.
    package var next: @Sendable (CommandAnswer) -> [ServerCommand] = { _ in [] }

    /// A command.
    package init(
        _ route: RouteName,
        _ name: String,
        _ target: String,
        method: String = "GET",
        headers: [(name: String, value: String)] = [],
        expect expected: [Expectation],
        next: @escaping @Sendable (CommandAnswer) -> [ServerCommand] = { _ in [] }
    ) {
        self.route = route
        self.name = name
        self.target = target
        self.method = method
        self.headers = headers
        self.expected = expected
        self.next = next
    }

    /// It, leading to these commands.
    func followed(by next: @escaping @Sendable (CommandAnswer) -> [ServerCommand]) -> ServerCommand {
        var command = self
        command.next = next
        return command
    }
}

/// What came back.
package struct CommandAnswer: Sendable {
    /// The HTTP status; 0 where none came.
    package var status: Int

    /// Header fields, names in lower case.
    package var headers: [(name: String, value: String)]

    /// The body, unpacked; the beginning of one without an end.
    package var body: [UInt8]

    /// Why no more came; nil where all did that was to come.
    package var failure: String?

    /// An answer.
    package init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        failure: String? = nil
    ) {
        (self.status, self.headers, self.body, self.failure) = (status, headers, body, failure)
    }

    /// The first header field of a name in lower case; nil where there is none.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The body as text; nil for bytes that are not UTF-8.
    package var text: String? { String(validating: body, as: UTF8.self) }
}
