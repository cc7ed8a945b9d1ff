internal import SegueBase
internal import SegueFetch

extension Server {
    /// A server that replays recorded responses.
    ///
    /// A recording is a folder from the product SegueRecord or from `segue watch --record`, or an HTTP archive (`.har`)
    /// from a browser or a proxy. The response to a request is the last one recorded up to that time, where the
    /// recording begins with the world, so that a live stream progresses as it did. Resources that were not recorded
    /// are not found.
    ///
    /// - Parameter path: The folder, or the archive.
    /// - Returns: The server.
    /// - Throws: An error if the recording does not exist or cannot be read, with a description in one line.
    public static func recorded(_ path: String) throws -> Server {
        if path.lowercased().hasSuffix(".har") {
            let archive = try HARFile(path)
            return answering(archive.recording, archive.body)
        }
        let folder = try RecordingFolder(path)
        return answering(folder.recording, folder.body)
    }

    /// Headers that describe a body as it was transferred, while the recording contains it decoded and complete.
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
