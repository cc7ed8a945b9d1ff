/// A parser of frames from a byte stream.
struct FrameReader {
    enum Event {
        /// A part of an answer's bytes.
        case bytes(ArraySlice<UInt8>)
        /// Any other frame, complete.
        case frame(Frame.Header, [UInt8])
    }

    /// A malformed frame, or one above its size limit.
    struct Nonsense: Error {}

    private var head: [UInt8] = []
    private var current: Frame.Header?
    private var left = 0
    private var content: [UInt8] = []

    /// Consumes received bytes.
    ///
    /// - Parameters:
    ///   - question: The current question; frames of others are ignored.
    /// - Throws: ``Nonsense``, or the error of `handle`.
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
