extension FetchURL {
    /// The size of a request for it, as libcurl writes it in HTTP/1.1 for ``LiveFetcher``.
    func size(of request: FetchRequest) -> Int {
        var lines = [
            "\(request.isHead ? "HEAD" : "GET") \(target) HTTP/1.1", "Host: \(authority)",
            "User-Agent: \(FetchRequest.userAgent)", "Accept: */*",
        ]
        if let range = request.range {
            lines.append("Range: bytes=\(range.offset)-\(range.offset + range.length - 1)")
        } else {
            lines.append("Accept-Encoding: \(Self.codings)")
        }
        lines += request.headers.map { "\($0.name): \($0.value)" }
        return lines.reduce(2) { $0 + $1.utf8.count + 2 }
    }

    /// What libcurl asks for by itself, where it is built with all of them as Debian's is.
    private static let codings = "deflate, gzip, br, zstd"
}
