/// The parts of an answer of several byte ranges (RFC 9110, 14.6).
package enum MultipartBody {
    /// Whether a body is exactly the given parts of a resource, each with its range named.
    ///
    /// - Parameters:
    ///   - body: The answer's body.
    ///   - contentType: Its media type with the parameter that says what lies between the parts.
    ///   - ranges: The parts that are wanted, in order.
    ///   - whole: The resource.
    /// - Returns: Whether they are all there and nothing else.
    package static func isTrue(
        _ body: [UInt8],
        contentType: String,
        ranges: [Range<Int>],
        of whole: [UInt8]
    ) -> Bool {
        guard let boundary = boundary(contentType) else { return false }
        var rest = body[...]
        for range in ranges {
            guard let head = take(until: Array("\r\n\r\n".utf8), from: &rest) else { return false }
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

    /// What stands before a mark, which is taken out with it; line ends before it are left out.
    private static func take(until mark: [UInt8], from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        while rest.starts(with: [0x0D, 0x0A]) { rest = rest.dropFirst(2) }
        for start in rest.indices where rest[start...].starts(with: mark) {
            defer { rest = rest[(start + mark.count)...] }
            return rest[..<start]
        }
        return nil
    }
}
