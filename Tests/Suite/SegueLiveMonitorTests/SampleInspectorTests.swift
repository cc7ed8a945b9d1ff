import Testing

@testable import SegueLiveMonitor

@Suite struct SampleInspectorTests {
    @Test func `no more samples are loaded than can wait`() {
        let inspector = SampleInspector(decoder: nil)
        let reserved = (0..<20).map { _ in inspector.reserve() }
        #expect(reserved == (0..<20).map { $0 < 16 })
        inspector.release()
        #expect(inspector.reserve())
        #expect(!inspector.reserve())
        inspector.close()
        inspector.release()
        #expect(!inspector.reserve())
    }
}
