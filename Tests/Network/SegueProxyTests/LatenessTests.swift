import SegueBase
import SegueProxy
import Testing

@Suite struct `Delays of a proxy` {
    @Test func `have quantiles accurate to an eighth`() {
        var lateness = Lateness()
        for microseconds in 1...10_000 { lateness.record(.microseconds(microseconds)) }
        #expect(lateness.total == 10_000 && lateness.greatest == .milliseconds(10))
        for (share, expected) in [(0.5, 5.0), (0.9, 9.0), (0.99, 9.9), (1, 10.0)] {
            let found = lateness.quantile(share) / .milliseconds(1)
            #expect(found >= expected && found <= expected * 1.125, "\(found) for \(expected)")
        }
        #expect(abs(lateness.sum - 50.005) < 0.001)
        let within = lateness.count(upTo: .milliseconds(1))
        #expect(within >= 1000 && within <= 1125)
        #expect(lateness.count(upTo: .seconds(60)) == 10_000)
    }

    @Test func `are zero without records, and never negative`() {
        var lateness = Lateness()
        #expect(lateness.quantile(0.99) == .zero && lateness.greatest == .zero)
        lateness.record(.milliseconds(-5))
        #expect(lateness.quantile(0.99) == .zero && lateness.total == 1)
    }
}

@Suite struct `Endpoints` {
    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:0", "::1", 0), ("example.org:65535", "example.org", 65535),
    ])
    func `round-trips as text`(text: String, host: String, port: Int) {
        let endpoint = Endpoint(text)
        #expect(endpoint == Endpoint(host: host, port: port) && endpoint?.description == text)
    }

    @Test(arguments: ["", "80", ":80", "::1:80", "a:", "a:65536", "a:-1", "a:b"])
    func `rejects any other text`(text: String) { #expect(Endpoint(text) == nil) }
}

@Suite struct `Byte queue` {
    @Test func `returns bytes in order, in any amount`() {
        var queue = ByteQueue()
        var (put, got): ([UInt8], [UInt8]) = ([], [])
        var random = SeededRandom(seed: 3)
        for round in 0..<2000 {
            let piece = (0..<Int.random(in: 0...50, using: &random)).map { UInt8(truncatingIfNeeded: $0 &+ round) }
            queue.append(piece)
            put += piece
            let most = Int.random(in: 1...40, using: &random)
            _ = queue.take(most) { bytes in
                #expect(bytes.count <= most)
                let taken = Int.random(in: 0...bytes.count, using: &random)
                got += bytes.prefix(taken)
                return taken
            }
            #expect(queue.count == put.count - got.count)
        }
        while queue.count > 0 {
            _ = queue.take(.max / 2) { bytes in
                got += bytes
                return bytes.count
            }
        }
        #expect(got == put)
    }
}
