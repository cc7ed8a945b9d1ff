internal import SegueBase
internal import SegueFetch

extension Server {
    /// A server that answers as another one did, whose answers were recorded.
    ///
    /// A recording is a folder that the product SegueRecord, or `segue watch --record`, has written, or an HTTP archive
    /// (`.har`) as browsers and proxies save it. A request is answered with what was answered last by that time of the
    /// recording, which begins with the world; so a live stream goes on as it did. What was not asked for then is not found.
    ///
    /// - Parameter path: The folder, or the archive.
    /// - Returns: The server.
    /// - Throws: An error of one line where there is no recording, or it cannot be read.
    public static func recorded(_ path: String) throws -> Server {
        if path.lowercased().hasSuffix(".har") {
            let archive = try HARFile(path)
            return answering(archive.recording, archive.body)
        }
        let folder = try RecordingFolder(path)
        return answering(folder.recording, folder.body)
    }

    /// What tells of a body as it was sent, while a recording has it unpacked and whole.
    private static let ofTransfer: Set<String> = ["content-encoding", "content-length", "transfer-encoding"]

    private static func answering(
        _ recording: Recording,
        _ body: @escaping @Sendable (RecordedExchange) -> [UInt8]?
    ) -> Server {
        Server { request in
            let exchange = recording.exchange(
                for: request.url,
                isHead: request.method == "HEAD",
                range: request.range.map { .init(offset: $0.lowerBound, length: $0.upperBound - $0.lowerBound) },
                at: request.time.seconds
            )
            guard let exchange, let body = body(exchange) else { return .notFound }
            var response = Response(
                status: exchange.status,
                headers: Dictionary(exchange.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
                    .filter { !ofTransfer.contains($0.key) },
                body: body
            )
            response.redirectedTo = exchange.redirectedTo
            return response
        }
    }
}
