/// A streaming reader of a report's JSON that holds one case at a time.
///
/// It finds the members of the top-level object and the elements of `cases`, and passes on their bytes undecoded.
package struct ReportPieces {
    package enum Piece: Equatable {
        /// An element of `cases`.
        case recordedCase([UInt8])
        /// Another member of the object.
        case member(String, [UInt8])
    }

    /// The reason why bytes are not a report, as the end of a sentence.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notAnObject
        case tooLong
        case unfinished(cases: Int)
        case noCases

        package var description: String {
            switch self {
            case .notAnObject: "is not a report in JSON"
            case .tooLong: "has a piece of more than \(ReportPieces.most >> 20) MiB; no report has one that large"
            case .unfinished(let cases): "is truncated after \(cases) complete case\(cases == 1 ? "" : "s")"
            case .noCases: "has no cases; expected the output of segue regress --json"
            }
        }
    }

    /// The maximum number of bytes of a piece.
    static let most = 16 << 20

    private enum State { case start, key, colon, value, listItem, after, end }

    private var state = State.start
    private var bytes: [UInt8] = []
    private var name = ""
    /// The nesting depth in the current piece.
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private var isInCases = false
    private var sawCases = false
    private var cases = 0

    package init() {}

    /// Reads the next bytes.
    ///
    /// `tell` receives each complete piece.
    ///
    /// - Throws: ``Failure``, or an error of `tell`.
    package mutating func read(_ chunk: some Sequence<UInt8>, _ tell: (Piece) throws -> Void) throws {
        for byte in chunk { try read(byte, tell) }
    }

    /// Checks that the report is complete.
    ///
    /// - Throws: ``Failure``.
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

    /// Continues inside a key or value.
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

    /// Ends a number, `true`, `false`, or `null` at the character after it.
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
