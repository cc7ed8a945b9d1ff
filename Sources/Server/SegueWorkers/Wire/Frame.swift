/// What the server and a worker say to each other over their line: a kind, and some bytes.
///
/// Either may be compromised or mad as far as the other knows: lengths are held to a limit for each kind.
struct Frame {
    /// What it says.
    enum Kind: UInt8 {
        /// To the worker: what is to be done, in JSON (``Question``).
        case question = 1
        /// To the worker: nobody waits for the answer any more.
        case cancel
        /// To the worker: what was kept of the file, after the number of the one who asked; no byte more for nothing.
        case kept
        /// From the worker: it is ready, and what could not be forbidden to it, in JSON (``Greeting``).
        case ready = 16
        /// How many bytes there will be.
        case size
        /// Some of the bytes that were asked for.
        case piece
        /// The end of an answer, in JSON (``Answer``).
        case end
        /// Whether something was kept of the file: a number of its own, then the name.
        case wanted
        /// What is to be kept of the file: the length of the name, the name, the bytes.
        case keep
        /// It gets on.
        case alive
        /// The tags of a file that is being played, in JSON.
        case tags
        /// A frame of sound.
        case sound

        /// The greatest number of bytes.
        var limit: Int {
            switch self {
            case .cancel, .alive: 8
            case .size: 8
            case .wanted: 1 << 10
            case .sound: 64 << 10
            case .question, .ready, .tags: 1 << 20
            case .piece: Frame.greatestPiece
            case .end: 32 << 20
            case .kept, .keep: 160 << 20
            }
        }
    }

    /// The greatest number of bytes of a piece.
    static let greatestPiece = 256 << 10
    /// The bytes before the content: its length, the kind, and the number of the question.
    static let headerSize = 9

    /// What a header says.
    struct Header: Equatable {
        /// What the frame says.
        var kind: Kind
        /// The question that it is about.
        var question: UInt32
        /// The bytes that follow.
        var length: Int

        /// A header.
        init(_ kind: Kind, question: UInt32, length: Int) {
            (self.kind, self.question, self.length) = (kind, question, length)
        }

        /// Reads a header; nil where it is none, or announces more than its kind may have.
        init?(_ bytes: some RandomAccessCollection<UInt8>) {
            guard bytes.count >= Frame.headerSize else { return nil }
            let numbers = Array(bytes.prefix(Frame.headerSize))
            let length = numbers[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
            let question = numbers[5..<9].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard let kind = Kind(rawValue: numbers[4]), length <= kind.limit else { return nil }
            self.init(kind, question: question, length: length)
        }

        /// The header as it is sent.
        var bytes: [UInt8] {
            var bytes = withUnsafeBytes(of: UInt32(length).littleEndian) { Array($0) }
            bytes.append(kind.rawValue)
            withUnsafeBytes(of: question.littleEndian) { bytes.append(contentsOf: $0) }
            return bytes
        }
    }
}

/// What a worker says first.
struct Greeting: Codable, Equatable {
    /// What could not be forbidden to it, a sentence each.
    var missing: [String]
}
