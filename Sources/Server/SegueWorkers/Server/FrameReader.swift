/// Takes frames out of the bytes that come over a line, in whatever portions they come.
struct FrameReader {
    /// Something that came.
    enum Event {
        /// Some bytes of an answer.
        case bytes(ArraySlice<UInt8>)
        /// Any other frame, whole.
        case frame(Frame.Header, [UInt8])
    }

    /// Bytes that are no frame, or one that may not be so long.
    struct Nonsense: Error {}

    private var head: [UInt8] = []
    private var current: Frame.Header?
    private var left = 0
    private var content: [UInt8] = []

    /// Takes bytes.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - question: The question that is open; what is said of others is passed over.
    ///   - handle: Told what it says.
    /// - Throws: ``Nonsense``, or what `handle` throws.
    mutating func take(_ bytes: ArraySlice<UInt8>, of question: UInt32, _ handle: (Event) throws -> Void) throws {
        var rest = bytes
        while true {
            guard let frame = current else {
                let missing = Frame.headerSize - head.count
                head += rest.prefix(missing)
                rest = rest.dropFirst(missing)
                guard head.count == Frame.headerSize else { return }
                guard let header = Frame.Header(head) else { throw Nonsense() }
                head.removeAll(keepingCapacity: true)
                (current, left) = (header, header.length)
                content.removeAll()
                continue
            }
            let part = rest.prefix(left)
            rest = rest.dropFirst(part.count)
            left -= part.count
            let isOpen = frame.question == question
            if frame.kind == .piece {
                if isOpen, !part.isEmpty { try handle(.bytes(part)) }
            } else {
                content += part
            }
            guard left == 0 else { return }
            current = nil
            if frame.kind != .piece, isOpen { try handle(.frame(frame, content)) }
        }
    }
}
