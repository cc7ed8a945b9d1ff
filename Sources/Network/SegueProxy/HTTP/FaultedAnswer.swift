internal import SegueNetworkModel

/// A response in transfer, and the fault of its request.
struct FaultedAnswer: Sendable {
    private var head: HTTPHead
    private var body: HTTPBody
    private let effect: RequestFault.Effect?
    /// The number of content bytes received.
    private var position = 0
    private var isCut = false
    private var hasGone = false

    init(_ head: HTTPHead, to method: String, _ effect: RequestFault.Effect?) {
        self.head = head
        self.effect = effect
        body = head.answerBody(to: method)
    }

    /// True if the response has ended.
    var hasEnded: Bool { hasGone }

    /// The maximum number of bytes on the connection.
    var limit: Int? { Self.limit(of: effect) }

    /// The maximum number of bytes on a connection with a fault.
    static func limit(of effect: RequestFault.Effect?) -> Int? {
        if case .limit(let bytes) = effect { bytes } else { nil }
    }

    /// Begins with the complete head.
    mutating func begin() -> [FaultFilter.Action] {
        switch effect {
        case .wrongLength(let difference):
            head["content-length"] = head["content-length"].flatMap { Int($0) }.map { Self.moved($0, by: difference) }
        case .slowClose:
            (head["content-length"], head["transfer-encoding"], head["connection"]) = (nil, nil, "close")
        case .wrongRange(let difference):
            head["content-range"] = head["content-range"].map { Self.moved($0, by: -difference) }
        default: break
        }
        return [.send(head.bytes)] + events(upTo: 0) + (body.hasEnded ? end() : [])
    }

    /// Processes bytes of the body.
    ///
    /// - Returns: The number of bytes of this response, and the resulting actions.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> (count: Int, actions: [FaultFilter.Action]) {
        var rest = bytes
        var actions: [FaultFilter.Action] = []
        while !rest.isEmpty, !body.hasEnded {
            let (count, isContent) = body.take(rest)
            if isContent {
                actions += content(rest.prefix(count))
            } else if !isPlain {
                actions.append(.send(Array(rest.prefix(count))))
            }
            rest = rest.dropFirst(count)
        }
        if body.hasEnded { actions += end() }
        return (bytes.count - rest.count, isCut ? Self.cut(actions) : actions)
    }

    /// Ends the response, complete or with the server's connection.
    mutating func end() -> [FaultFilter.Action] {
        hasGone = true
        switch effect {
        case .wrongLength: return [.close]
        case .slowClose(let pause): return [.wait(pause), .close]
        default: return []
        }
    }

    /// True if the body is sent without its transfer coding.
    private var isPlain: Bool { if case .slowClose = effect { true } else { false } }

    private mutating func content(_ bytes: ArraySlice<UInt8>) -> [FaultFilter.Action] {
        var actions: [FaultFilter.Action] = []
        var rest = bytes
        while !rest.isEmpty {
            let count = min(rest.count, bytesToNextEvent)
            actions.append(.send(changed(rest.prefix(count))))
            rest = rest.dropFirst(count)
            position += count
            actions += events(upTo: position)
        }
        return actions
    }

    private var bytesToNextEvent: Int {
        switch effect {
        case .reset(let place), .truncation(let place), .stall(let place, _): place > position ? place - position : .max
        case .slices(let bytes, _): bytes - position % bytes
        default: .max
        }
    }

    /// The actions at a position of the content.
    private mutating func events(upTo position: Int) -> [FaultFilter.Action] {
        switch effect {
        case .reset(position):
            isCut = true
            return [.reset]
        case .truncation(position):
            isCut = true
            return [.close]
        case .stall(position, let length): return [.wait(length)]
        case .slices(let bytes, let pause) where position > 0 && position % bytes == 0: return [.wait(pause)]
        default: return []
        }
    }

    private func changed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard case .corruption(let count, let place) = effect else { return Array(bytes) }
        return bytes.enumerated().map { index, byte in
            let behind = position + index - place
            return behind >= 0 && behind < count ? RequestFault.corrupted(byte) : byte
        }
    }

    private static func cut(_ actions: [FaultFilter.Action]) -> [FaultFilter.Action] {
        guard let last = actions.firstIndex(where: { $0 == .close || $0 == .reset }) else { return actions }
        return Array(actions[...last])
    }

    /// A range with moved bounds: `bytes=0-99` or `bytes 0-99/1000`.
    static func moved(_ range: String, by difference: Int) -> String {
        var result = ""
        var number = ""
        var isBound = true
        for character in range + "\n" {
            if character.isASCII, character.isNumber, isBound {
                number.append(character)
                continue
            }
            // A number that exceeds any body stays unchanged.
            result += Int(number).map { moved($0, by: difference) } ?? number
            number = ""
            if character == "/" { isBound = false }
            if character != "\n" { result.append(character) }
        }
        return result
    }

    /// A peer's number of bytes, moved within the limits of an integer.
    private static func moved(_ number: Int, by difference: Int) -> String {
        let (sum, isTooLarge) = number.addingReportingOverflow(difference)
        return "\(isTooLarge ? (difference > 0 ? .max : 0) : max(0, sum))"
    }
}
