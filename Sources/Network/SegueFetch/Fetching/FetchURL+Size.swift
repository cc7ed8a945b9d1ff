extension FetchURL {
    /// The size of a request for it, as libcurl writes it in HTTP/1.1 for ``LiveFetcher``.
    func size(of request: FetchRequest) -> Int {
        var size = (request.isHead ? "HEAD" : "GET").utf8.count + target.utf8.count + authority.utf8.count
        if let range = request.range {
            size += "Range: bytes=\(range.offset)-\(range.offset + range.length - 1)\r\n".utf8.count
        } else {
            size += Self.acceptEncoding.utf8.count
        }
        return request.headers.reduce(size + Self.rest.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + ": \r\n".utf8.count
        }
    }

    /// What libcurl asks for by itself, where it is built with all of them as Debian's is.
    private static let acceptEncoding = "Accept-Encoding: deflate, gzip, br, zstd\r\n"

    /// What stands in every request beside its method, its target, its host and its own header fields.
    private static let rest = "  HTTP/1.1\r\nHost: \r\nUser-Agent: \(FetchRequest.userAgent)\r\nAccept: */*\r\n\r\n"
}
