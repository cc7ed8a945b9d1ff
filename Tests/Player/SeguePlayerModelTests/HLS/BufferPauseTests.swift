import SegueBase
import Testing

@testable import SeguePlayerModel

@Suite struct BufferPauseTests {
    /// A buffer that pauses at 30 s and resumes at 20 s.
    private static var depth: BufferDepth {
        get throws {
            let limits = ["buffer-limit": "30 s", "buffer-resume": "20 s"]
            return BufferDepth(try Shipped.platform("desktop", limits).loading, LoadingPreferences())
        }
    }

    @Test func `loading pauses at the limit and resumes where the buffer has run down`() throws {
        let depth = try Self.depth
        var pause = BufferPause()
        for (ahead, isOn) in [(29, false), (30, true), (29, true), (21, true), (20, false), (29, false)] {
            pause.end(ahead: .seconds(ahead), depth)
            pause.begin(ahead: .seconds(ahead), depth)
            #expect(pause.isOn == isOn, "\(ahead) s ahead")
        }
    }

    @Test func `the end of a pause depends on the rate`() throws {
        let (depth, now) = (try Self.depth, Instant(seconds: 100))
        #expect(BufferPause.end(ahead: .seconds(26), depth, rate: 1, at: now) == Instant(seconds: 106))
        #expect(BufferPause.end(ahead: .seconds(26), depth, rate: 2, at: now) == Instant(seconds: 103))
        #expect(BufferPause.end(ahead: .seconds(26), depth, rate: 0, at: now) == nil)
    }
}
