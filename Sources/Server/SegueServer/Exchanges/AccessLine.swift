import SegueBase

/// A line of an access log: the combined format of Apache and nginx, and behind it the seconds that the request took and
/// whether all of the answer was sent.
///
/// The bytes are those that the system has taken, which are fewer than the body has where the client has left.
enum AccessLine {
    /// The line, without its end.
    ///
    /// - Parameters:
    ///   - exchange: What has happened.
    ///   - seconds: When the request had come, in seconds since 1970.
    ///   - isPrivate: Whether the address is cut to that of its network.
    /// - Returns: The text.
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

    /// A text in quotes on one line, whatever is in it: what is no printable ASCII as `\xHH`, as Apache and nginx do.
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
