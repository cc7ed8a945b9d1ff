/// A message between the server and a worker: a kind, and bytes.
///
/// Each side distrusts the other, which may be compromised: the length of each kind is limited.
struct Frame {
    enum Kind: UInt8 {
        /// To the worker: a task in JSON (``Question``).
        case question = 1
        /// To the worker: a cancellation.
        case cancel
        /// To the worker: a stored index after the number of the request; no bytes if there is none.
        case kept
        /// From the worker: it is ready; the restrictions that failed, in JSON (``Greeting``).
        case ready = 16
        /// The total number of bytes.
        case size
        /// A part of the bytes.
        case piece
        /// The end of an answer, in JSON (``Answer``).
        case end
        /// A request for a stored index: a number, then the name.
        case wanted
        /// An index to store: the length of the name, the name, the bytes.
        case keep
        /// A sign of life.
        case alive
        /// The tags of a file that is being played, in JSON.
        case tags
        /// An audio frame.
        case audio

        /// The maximum number of bytes.
        var limit: Int {
            switch self {
            case .cancel, .alive: 8
            case .size: 8
            case .wanted: 1 << 10
            case .audio: 64 << 10
            case .question, .ready, .tags: 1 << 20
            case .piece: Frame.pieceLimit
            case .end: 32 << 20
            case .kept, .keep: 160 << 20
            }
        }
    }

    /// The maximum number of bytes of a piece.
    static let pieceLimit = 256 << 10
    /// The number of bytes before the content: its length, the kind, and the number of the question.
    static let headerSize = 9

    struct Header: Equatable {
        var kind: Kind
        /// The number of the question.
        var question: UInt32
        /// The number of bytes that follow.
        var length: Int

        init(_ kind: Kind, question: UInt32, length: Int) {
            (self.kind, self.question, self.length) = (kind, question, length)
        }

        /// Parses a header; nil if it is malformed or exceeds the limit of its kind.
        init?(_ bytes: some RandomAccessCollection<UInt8>) {
            guard bytes.count >= Frame.headerSize else { return nil }
            let numbers = Array(bytes.prefix(Frame.headerSize))
            let length = numbers[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
            let question = numbers[5..<9].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard let kind = Kind(rawValue: numbers[4]), length <= kind.limit else { return nil }
            self.init(kind, question: question, length: length)
        }

        var bytes: [UInt8] {
            var bytes = withUnsafeBytes(of: UInt32(length).littleEndian) { Array($0) }
            bytes.append(kind.rawValue)
            withUnsafeBytes(of: question.littleEndian) { bytes.append(contentsOf: $0) }
            return bytes
        }
    }
}

/// The first message of a worker.
struct Greeting: Codable, Equatable {
    /// The restrictions that failed, one sentence each.
    var missing: [String]
}
