/// A parser for the messages of one direction of HTTP/1; it buffers heads, but no bodies.
struct MessageReader {
    /// The next part.
    enum Part {
        /// A complete head; the caller sets ``MessageReader/body`` accordingly.
        case head(HTTPHead)
        /// Bytes of a body, either content or framing.
        case body(count: Int, isContent: Bool)
        case end
        /// The input is not HTTP/1.
        case unreadable
    }

    /// The maximum size of a head.
    static let headLimit = 64 << 10

    /// The body after the latest head.
    var body = HTTPBody.length(0)
    private(set) var head: [UInt8] = []
    /// True if the latest head is that of an interim response; set by the caller.
    var isInterim = false
    private var isWithinMessage = false

    /// True if a message is incomplete.
    var isWithin: Bool { isWithinMessage || !head.isEmpty }

    /// Parses the next part.
    ///
    /// - Parameter rest: The input; parsed bytes are removed from the front.
    /// - Returns: The part; nil if more bytes are needed.
    mutating func next(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Part? {
        if isWithinMessage {
            if body.hasEnded {
                isWithinMessage = false
                return .end
            }
            guard !rest.isEmpty else { return nil }
            let (count, isContent) = body.take(rest)
            rest = rest.dropFirst(count)
            return .body(count: count, isContent: isContent)
        }
        while let byte = rest.popFirst() {
            // Empty lines before a message are ignored (RFC 9112, section 2.2).
            if head.isEmpty, byte == 13 || byte == 10 { continue }
            head.append(byte)
            if byte == 10, head.suffix(4).elementsEqual([13, 10, 13, 10]) { return headEnds() }
            if head.count >= Self.headLimit { return .unreadable }
        }
        return nil
    }

    private mutating func headEnds() -> Part {
        defer { head = [] }
        guard let head = HTTPHead(head), head.hasValidLength else { return .unreadable }
        isWithinMessage = true
        return .head(head)
    }

    /// Processes the end of the input.
    ///
    /// - Returns: True if a message is truncated.
    mutating func ends() -> Bool {
        if isWithinMessage, body.endsWithConnection { (isWithinMessage, body) = (false, .length(0)) }
        return isWithin
    }
}

extension Slice<UnsafeRawBufferPointer> {
    init(_ bytes: UnsafeRawBufferPointer) { self = bytes[...] }
}
