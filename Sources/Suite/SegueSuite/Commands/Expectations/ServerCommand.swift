package import SegueOrigin

/// A request to a server, with the expected response.
package struct ServerCommand: Sendable {
    /// The route of the resource.
    package var route: RouteName

    /// The distinctive part of the request, in a few words.
    package var name: String

    package var method = "GET"

    /// The address relative to the server's, without a leading slash.
    package var target: String

    /// The key to use.
    package var key = CommandKey.own

    /// Header fields in addition to the usual ones.
    package var headers: [(name: String, value: String)] = []

    /// The body of the request.
    package var body: [UInt8]?

    /// The number of bytes to receive of an endless response; nil for one with an end.
    package var enough: Int?

    package var expected: [Expectation]

    /// True for a resource that the server deletes after a while.
    var isLive: Bool { route == .channel || route == .channelPiece }

    /// The commands that follow from the response.
    package var next: @Sendable (CommandResponse) -> [ServerCommand] = { _ in [] }

    package init(
        _ route: RouteName,
        _ name: String,
        at target: String,
        method: String = "GET",
        headers: [(name: String, value: String)] = [],
        expect expected: [Expectation]
    ) {
        self.route = route
        self.name = name
        self.target = target
        self.method = method
        self.headers = headers
        self.expected = expected
    }

    func followed(by next: @escaping @Sendable (CommandResponse) -> [ServerCommand]) -> ServerCommand {
        var command = self
        command.next = next
        return command
    }
}

package struct CommandResponse: Sendable {
    /// The HTTP status; 0 without a response.
    package var status: Int

    /// The header fields, with lowercase names.
    package var headers: [(name: String, value: String)]

    /// The decompressed body, or the beginning of an endless one.
    package var body: [UInt8]

    /// The reason why the response is incomplete; nil for a complete one.
    package var failure: String?

    package init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        failure: String? = nil
    ) {
        (self.status, self.headers, self.body, self.failure) = (status, headers, body, failure)
    }

    /// The first header field with a lowercase name.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The body as text; nil unless it is UTF-8.
    package var text: String? { String(validating: body, as: UTF8.self) }
}
