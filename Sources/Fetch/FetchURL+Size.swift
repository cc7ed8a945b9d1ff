extension FetchURL {
    /// The size of a request for it as HTTP/1.1 writes it.
    func size(of request: FetchRequest) -> Int {
        var size = "GET \(target) HTTP/1.1\r\nhost: \(authority)\r\naccept: */*\r\n\r\n".utf8.count
        for (name, value) in request.headers { size += name.utf8.count + value.utf8.count + 4 }
        if let range = request.range {
            size += "range: bytes=\(range.offset)-\(range.offset + range.length)\r\n".utf8.count
        }
        return size
    }
}
