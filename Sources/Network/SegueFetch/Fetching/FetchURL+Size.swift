extension FetchURL {
    /// The size of a request for this URL, as ``LiveFetcher`` sends it with libcurl over HTTP/1.1.
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

    /// The default of a libcurl with all decoders, such as Debian's.
    private static let acceptEncoding = "Accept-Encoding: deflate, gzip, br, zstd\r\n"

    /// The fixed part of every request.
    private static let rest = "  HTTP/1.1\r\nHost: \r\nUser-Agent: \(FetchRequest.userAgent)\r\nAccept: */*\r\n\r\n"
}
