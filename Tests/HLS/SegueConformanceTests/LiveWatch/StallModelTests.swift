import SegueBase
import Testing

@testable import SegueConformance

@Suite struct StallModelTests {
    private static func model() -> StallModel {
        var model = StallModel()
        model.join(at: .zero, ahead: 6)
        return model
    }

    @Test func `segments in time cause no stall`() {
        var model = Self.model()
        for number in 1...10 {
            model.expect(number, seconds: 2)
            #expect(model.use(number, since: Instant(seconds: Double(number) * 2)) == [])
        }
        #expect(model.runsOut == Instant(seconds: 26))
        #expect(model.open(at: Instant(seconds: 26)) == nil)
    }

    @Test func `a late segment causes a stall, and is played after it`() {
        var model = Self.model()
        model.expect(1, seconds: 2)
        #expect(model.use(1, since: Instant(seconds: 9)) == [StallModel.Stall(began: Instant(seconds: 6), seconds: 3)])
        #expect(model.runsOut == Instant(seconds: 11))
        #expect(model.open(at: Instant(seconds: 12))?.seconds == 1)
    }

    @Test func `segments are played in their order`() {
        var model = Self.model()
        model.expect(1, seconds: 2)
        model.expect(2, seconds: 2)
        #expect(model.use(2, since: Instant(seconds: 2)) == [])
        #expect(model.runsOut == Instant(seconds: 6))
        #expect(model.use(1, since: Instant(seconds: 7)).map(\.seconds) == [1])
        #expect(model.runsOut == Instant(seconds: 11))
    }

    @Test func `a segment that never arrives is skipped once it is no longer listed`() {
        var model = Self.model()
        model.expect(1, seconds: 2)
        model.expect(2, seconds: 2)
        _ = model.use(2, since: Instant(seconds: 4))
        #expect(model.drop(before: 2) == [])
        #expect(model.runsOut == Instant(seconds: 8))
    }

    @Test func `parts count from the time that they are listed`() {
        var model = Self.model()
        #expect(model.grow(by: 1, at: Instant(seconds: 5)) == nil)
        #expect(model.grow(by: 1, at: Instant(seconds: 7.5))?.seconds == 0.5)
        #expect(model.runsOut == Instant(seconds: 8.5))
    }
}
