extension FaultCase {
    /// Cases that are a little smaller, for whoever looks for the smallest that still fails.
    package var smaller: [FaultCase] {
        var cases: [FaultCase] = []
        func add(_ change: (inout FaultCase) -> Void) {
            var other = self
            change(&other)
            if other != self { cases.append(other) }
        }
        for index in exchanges.indices where exchanges.count > 1 { add { $0.exchanges.remove(at: index) } }
        for index in damages.indices { add { $0.damages.remove(at: index) } }
        add { $0.pieces = [1 << 20] }
        add { $0.isPipelined = false }
        if exchanges.last?.framing != .close { add { $0.ends = false } }
        for index in exchanges.indices {
            let exchange = exchanges[index]
            add { $0.exchanges[index].fault = nil }
            add { $0.exchanges[index].range = nil }
            add { $0.exchanges[index].requestFields = [] }
            add { $0.exchanges[index].fields = [] }
            add { $0.exchanges[index].requestBody = "" }
            add { $0.exchanges[index].content = [] }
            add { $0.exchanges[index].method = "GET" }
            add { $0.exchanges[index].status = 200 }
            if exchange.framing == .chunked { add { $0.exchanges[index].framing = .length } }
            for piece in exchange.content.indices {
                let count = exchange.content[piece].unicodeScalars.count
                for left in Set([count / 2, count - 1]) where left >= 0 {
                    add { $0.exchanges[index].content[piece] = String(repeating: "a", count: left) }
                }
            }
            if let number = exchange.fault?.number, number.magnitude > 1 {
                add { $0.exchanges[index].fault?.number = number / 2 }
                add { $0.exchanges[index].fault?.number = number - number.signum() }
            }
        }
        return cases
    }
}
