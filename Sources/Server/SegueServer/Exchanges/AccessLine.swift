import SegueBase

/// A line of an access log in the combined format of Apache and nginx, followed by the duration in seconds and by
/// whether the response was sent completely.
///
/// The number of bytes is what the system accepted, which is less than the body if the client disconnected.
enum AccessLine {
    /// Formats a line without its end.
    ///
    /// - Parameters:
    ///   - seconds: The time of the request, in seconds since 1970.
    ///   - isPrivate: True to truncate the address to its network.
    /// - Returns: The line.
    static func text(_ exchange: Exchange, at seconds: Int64, isPrivate: Bool) -> String {
        let client = isPrivate ? exchange.client.truncated : exchange.client
        let request = quoted("\(exchange.method) \(MaskedTarget.masking(exchange.target)) HTTP/1.1")
        let status = exchange.status.map(String.init) ?? "-"
        let referrer = quoted(exchange.referrer.map(MaskedTarget.masking) ?? "-")
        let agent = quoted(exchange.agent ?? "-")
        let date = UTCTime(secondsSince1970: seconds).inAccessLog
        let time = DecimalText.fixed(units: max(0, exchange.duration.wholeNanoseconds / 1000), places: 6)
        let end = exchange.leftEarly ? "left" : "complete"
        return "\(client) - - [\(date)] \(request) \(status) \(exchange.bytes) \(referrer) \(agent) \(time) \(end)"
    }

    /// A quoted text on one line, with `\xHH` for bytes outside printable ASCII, as in Apache and nginx.
    private static func quoted(_ text: String) -> String {
        var line = "\""
        for byte in text.utf8.prefix(4096) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x7f...0xff:
                let hex = String(byte, radix: 16, uppercase: true)
                line += hex.count == 1 ? "\\x0\(hex)" : "\\x\(hex)"
            default: line.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return line + "\""
    }
}
