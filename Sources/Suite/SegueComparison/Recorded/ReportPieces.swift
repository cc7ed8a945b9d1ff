/// Takes a report's JSON apart as it comes, so that none of it has to be held but the case that is being read.
///
/// It finds where the members of the one object and the entries of its `cases` begin and end, and hands out their bytes;
/// what is in them is for others to decode.
package struct ReportPieces {
    /// A part of a report.
    package enum Piece: Equatable {
        /// An entry of `cases`.
        case recordedCase([UInt8])
        /// Another member of the object.
        case member(String, [UInt8])
    }

    /// What keeps bytes from being a report, for the end of a message.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notAnObject
        case tooLong
        case unfinished(cases: Int)
        case noCases

        package var description: String {
            switch self {
            case .notAnObject: "is not a report's JSON"
            case .tooLong: "has a piece of more than \(ReportPieces.most >> 20) MiB, which no report has"
            case .unfinished(let cases): "ends in the middle, after \(cases) whole case\(cases == 1 ? "" : "s")"
            case .noCases: "has no cases; a report is what segue regress writes with --json"
            }
        }
    }

    /// How many bytes a piece has at the most.
    static let most = 16 << 20

    private enum State { case start, key, colon, value, listItem, after, end }

    private var state = State.start
    private var bytes: [UInt8] = []
    private var name = ""
    /// How many brackets are open in the piece that is being read.
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private var isInCases = false
    private var sawCases = false
    private var cases = 0

    /// Nothing was read yet.
    package init() {}

    /// Reads on.
    ///
    /// - Parameters:
    ///   - tell: Takes each piece that is whole.
    /// - Throws: ``Failure``, or what `tell` throws.
    package mutating func read(_ chunk: some Sequence<UInt8>, _ tell: (Piece) throws -> Void) throws {
        for byte in chunk { try read(byte, tell) }
    }

    /// Says that there are no more bytes.
    ///
    /// - Throws: ``Failure`` where that is too early.
    package func finish() throws(Failure) {
        guard state != .start else { throw .notAnObject }
        guard state == .end else { throw .unfinished(cases: cases) }
        guard sawCases else { throw .noCases }
    }

    private mutating func read(_ byte: UInt8, _ tell: (Piece) throws -> Void) throws {
        if !bytes.isEmpty { return try readOn(byte, tell) }
        switch (state, byte) {
        case (_, UInt8(ascii: " ")), (_, UInt8(ascii: "\n")), (_, UInt8(ascii: "\r")), (_, UInt8(ascii: "\t")): break
        case (.start, UInt8(ascii: "{")): state = .key
        case (.key, UInt8(ascii: "\"")): begin(byte)
        case (.key, UInt8(ascii: "}")): state = .end
        case (.after, UInt8(ascii: "}")) where !isInCases: state = .end
        case (.colon, UInt8(ascii: ":")): state = .value
        case (.value, UInt8(ascii: "[")) where name == "cases":
            (isInCases, sawCases, state) = (true, true, .listItem)
        case (.listItem, UInt8(ascii: "]")): (isInCases, state) = (false, .after)
        case (.after, UInt8(ascii: "]")) where isInCases: isInCases = false
        case (.after, UInt8(ascii: ",")): state = isInCases ? .listItem : .key
        case (.value, _), (.listItem, _): begin(byte)
        default: throw state == .start ? Failure.notAnObject : Failure.unfinished(cases: cases)
        }
    }

    private mutating func begin(_ byte: UInt8) {
        bytes = [byte]
        depth = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? 1 : 0
        isInText = byte == UInt8(ascii: "\"")
        isEscaped = false
    }

    /// Reads on inside of a key or value.
    private mutating func readOn(_ byte: UInt8, _ tell: (Piece) throws -> Void) throws {
        guard bytes.count < Self.most else { throw Failure.tooLong }
        if isInText {
            bytes.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
                if depth == 0 { try end(tell) }
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if depth == 0 { return try endBare(byte, tell) }
            depth -= 1
            if depth == 0 {
                bytes.append(byte)
                return try end(tell)
            }
        case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            if depth == 0 { return try endBare(byte, tell) }
        default: break
        }
        bytes.append(byte)
    }

    /// Ends a number, `true`, `false` or `null` at the sign after it.
    private mutating func endBare(_ byte: UInt8, _ tell: (Piece) throws -> Void) throws {
        try end(tell)
        try read(byte, tell)
    }

    private mutating func end(_ tell: (Piece) throws -> Void) throws {
        let piece = bytes
        bytes = []
        if state == .key {
            name = String(decoding: piece.dropFirst().dropLast(), as: UTF8.self)
            state = .colon
            return
        }
        state = .after
        if isInCases {
            try tell(.recordedCase(piece))
            cases += 1
        } else {
            try tell(.member(name, piece))
        }
    }
}
