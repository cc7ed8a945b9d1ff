/// Reads the messages of one direction of HTTP/1, piece by piece: it keeps a head until that is whole, and no body.
struct MessageReader {
    /// What the next bytes are.
    enum Part {
        /// A head is whole; who reads says with ``MessageReader/body`` what follows.
        case head(HTTPHead)
        /// So many bytes of a body, and whether they are content or only frame it.
        case body(count: Int, isContent: Bool)
        /// The body is over.
        case end
        /// What came is not HTTP/1.
        case unreadable
    }

    /// Longer heads are not read.
    static let headLimit = 64 << 10

    /// What follows the head that came last.
    var body = HTTPBody.length(0)
    private(set) var head: [UInt8] = []
    /// Whether the head that came last is one of an interim answer, as far as who reads has said so.
    var isInterim = false
    private var isWithinMessage = false

    /// Whether a message has begun that is not over.
    var isWithin: Bool { isWithinMessage || !head.isEmpty }

    /// Takes what comes next.
    ///
    /// - Parameter rest: What has come; what is taken is removed from its front.
    /// - Returns: What it is; nil where more has to come first.
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
            // Empty lines before a message mean nothing (RFC 9112, section 2.2).
            if head.isEmpty, byte == 13 || byte == 10 { continue }
            head.append(byte)
            if byte == 10, head.suffix(4).elementsEqual([13, 10, 13, 10]) { return headEnds() }
            if head.count >= Self.headLimit { return .unreadable }
        }
        return nil
    }

    private mutating func headEnds() -> Part {
        defer { head = [] }
        guard let head = HTTPHead(head), head.hasSoundLength else { return .unreadable }
        isWithinMessage = true
        return .head(head)
    }

    /// The other side has nothing more to say.
    ///
    /// - Returns: Whether a message is cut off by that.
    mutating func ends() -> Bool {
        if isWithinMessage, body.endsWithConnection { (isWithinMessage, body) = (false, .length(0)) }
        return isWithin
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// All of some bytes.
    init(_ bytes: UnsafeRawBufferPointer) { self = bytes[...] }
}
