import SegueBase

extension FaultCase {
    /// A case made by chance: the same for the same seed and number.
    ///
    /// Two of three say what HTTP means; the others are damaged.
    package init(seed: UInt64, number: Int) {
        var chance = SeededRandom(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
        self.init()
        isPipelined = chance.below(3) == 0
        ends = chance.below(3) == 0
        for _ in 0...chance.below(4) { exchanges.append(Exchange(&chance)) }
        // An answer that ends with the connection is the last one.
        for index in exchanges.indices.dropLast() where exchanges[index].framing == .close {
            exchanges[index].framing = .length
        }
        if exchanges[exchanges.count - 1].framing == .close { ends = true }
        pieces = (0...chance.below(3)).map { _ in chance.pick([1, 2, 7, 40, 300, 1 << 20]) }
        guard chance.below(3) == 0 else { return }
        for _ in 0...chance.below(3) { damages.append(Damage(&chance)) }
    }
}

extension FaultCase.Exchange {
    fileprivate init(_ chance: inout SeededRandom) {
        self.init()
        method = chance.pick(["GET", "GET", "GET", "GET", "HEAD", "POST"])
        if method == "POST" { requestBody = chance.text(chance.below(40)) }
        if chance.below(2) == 0 { fault = FaultCase.Fault(&chance) }
        // Fields of no known form stay as they came, where the head is not changed.
        let isChanged = fault.map { [.wrongRange, .wrongLength, .slowClose].contains($0.kind) } ?? false
        let odd = ["Host:x", "X-A:\t b ", "X-B: \u{E4}\u{FF}", "x-empty:", "Cookie: a=b; c=\"d\""]
        requestFields = isChanged ? ["Host: x"] : (0..<chance.below(3)).map { _ in chance.pick(odd) }
        fields = isChanged ? ["Server: x"] : (0..<chance.below(3)).map { _ in chance.pick(odd) }
        if chance.below(3) == 0 {
            let first = chance.number()
            range = .init(first: first, last: chance.below(3) == 0 ? nil : max(first, chance.number()))
        }
        status = chance.pick([200, 200, 200, 200, 206, 404, 204, 304])
        framing = chance.pick([.length, .length, .chunked, .close])
        let size = chance.pick([0, 1, 10, 10, 100, 100, 400, 3000])
        content = (0..<chance.below(4)).map { _ in chance.text(chance.below(size + 1)) }
    }
}

extension FaultCase.Fault {
    fileprivate init(_ chance: inout SeededRandom) {
        self.init(kind: chance.pick(Kind.allCases), number: 0, count: 1 + chance.below(50))
        switch kind {
        case .status: number = chance.pick([204, 304, 404, 500, 503])
        case .wrongLength, .wrongRange: number = (1 + chance.place()) * chance.pick([1, -1])
        case .slices: number = 1 + chance.place()
        case .reset, .stall, .truncation, .slowClose, .corruption, .limit, .portal: number = chance.place()
        }
        if kind == .corruption { count = 1 + chance.place() }
    }
}

extension FaultCase.Damage {
    fileprivate init(_ chance: inout SeededRandom) {
        let name = chance.pick([
            "Content-Length", "Range: bytes", "Content-Range: bytes", "Transfer-Encoding", "Expect",
        ])
        let number = chance.pick([
            "\(chance.number())", "-1", "\(UInt64.max)", "99999999999999999999999999", "", "0x10",
        ])
        let text = chance.pick([
            chance.text(chance.below(8)), "\r\n", "\r\n\r\n", "\(name): \(number)\r\n",
            "\(name)=\(number)-\(number)\r\n",
            "\(number)\r\n", "FFFFFFFFFFFFFFFF\r\n", "7fffffffffffffff\r\n", "0\r\n\r\n", "HTTP/1.1 100 Go on\r\n\r\n",
            "HTTP/1.1 101 Other\r\n\r\n", "HTTP/1.1 \(number) \r\n\r\n", "CONNECT x:1 HTTP/1.1\r\n\r\n", "\u{0}",
            "\u{FF}",
        ])
        self.init(isAnswer: chance.below(2) == 0, place: chance.below(1000), removed: chance.below(20), text: text)
    }
}

extension SeededRandom {
    fileprivate mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % max(1, limit) }

    fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// A place in a body, or far behind every body, as a network's file may name it.
    fileprivate mutating func place() -> Int {
        pick([below(4), below(100), below(400), below(4000), 1_000_000_000_000])
    }

    /// A number that a head may name.
    fileprivate mutating func number() -> Int {
        pick([0, below(100), below(4000), 1 << 31, 1 << 53, .max - below(200), .max])
    }

    fileprivate mutating func text(_ count: Int) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<count { text.append(Unicode.Scalar(UInt8(truncatingIfNeeded: next() >> 40))) }
        return String(text)
    }
}
