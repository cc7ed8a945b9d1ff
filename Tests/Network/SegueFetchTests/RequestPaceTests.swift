import SegueFetch
import Testing

@Suite struct RequestPaceTests {
    private let now = ContinuousClock.now

    @Test func `a rate spreads the requests to all servers`() {
        let pace = RequestPace(rate: 4)
        let begun = ContinuousClock.now
        let times = (0..<9).map { pace.place(for: "http://\($0).test/", at: begun).at - begun }
        #expect(times.last.map { $0 >= .seconds(2) && $0 < .seconds(2.1) } ?? false)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(250) })
    }

    @Test func `a server is left alone for as long as it asks`() {
        let pace = RequestPace()
        pace.hold("http://a.test/1", for: .seconds(5), at: now)
        pace.hold("http://a.test/1", for: .seconds(2), at: now)
        #expect(pace.place(for: "http://a.test/2", at: now).at == now + .seconds(5))
        #expect(pace.place(for: "http://b.test/2", at: now).at == now)
        #expect(pace.place(for: "http://a.test/2", at: now + .seconds(6)).at == now + .seconds(6))
    }

    @Test func `the requests of the last ten seconds are counted for each server`() {
        let pace = RequestPace()
        for second in 0..<20 { _ = pace.place(for: "http://a.test/", at: now + .seconds(second)) }
        #expect(pace.place(for: "http://a.test/", at: now + .seconds(20)).before == 10)
        #expect(pace.place(for: "http://b.test/", at: now + .seconds(20)).before == 0)
    }
}
