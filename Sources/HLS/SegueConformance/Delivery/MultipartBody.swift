/// The body of a response with several byte ranges (RFC 9110, 14.6).
package enum MultipartBody {
    /// Compares a body with the given ranges of a resource.
    ///
    /// - Parameters:
    ///   - body: The body of the response.
    ///   - contentType: The media type with its boundary parameter.
    /// - Returns: True if the body is exactly the ranges in order, each with its Content-Range.
    package static func isTrue(
        _ body: [UInt8],
        contentType: String,
        ranges: [Range<Int>],
        of whole: [UInt8]
    ) -> Bool {
        guard let boundary = boundary(contentType) else { return false }
        var rest = body[...]
        for range in ranges {
            guard let head = readHead(until: Array("\r\n\r\n".utf8), from: &rest) else { return false }
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map { $0.lowercased() }
            let named = "content-range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.count)"
            guard lines.first == "--\(boundary)".lowercased(), lines.contains(named),
                rest.starts(with: whole[range])
            else { return false }
            rest = rest.dropFirst(range.count)
            guard rest.starts(with: [0x0D, 0x0A]) else { return false }
            rest = rest.dropFirst(2)
        }
        return rest.starts(with: Array("--\(boundary)--".utf8))
    }

    private static func boundary(_ contentType: String) -> String? {
        let parameters = contentType.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } }
        guard contentType.lowercased().hasPrefix("multipart/byteranges"),
            let parameter = parameters.first(where: { $0.lowercased().hasPrefix("boundary=") })
        else { return nil }
        let value = parameter.dropFirst("boundary=".count)
        return value.hasPrefix("\"") && value.hasSuffix("\"") ? String(value.dropFirst().dropLast()) : String(value)
    }

    /// Removes and returns the bytes before a mark, without leading line ends.
    private static func readHead(until mark: [UInt8], from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        while rest.starts(with: [0x0D, 0x0A]) { rest = rest.dropFirst(2) }
        for start in rest.indices where rest[start...].starts(with: mark) {
            defer { rest = rest[(start + mark.count)...] }
            return rest[..<start]
        }
        return nil
    }
}
