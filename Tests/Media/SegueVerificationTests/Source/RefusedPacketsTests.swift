import Foundation
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager
@testable import SegueVerification

/// Packets rejected by libav excuse the delivery around them, and nothing else.
@Suite struct `Packets that libav refuses` {
    private let files: VerifiedFiles

    init() throws { files = try VerifiedFiles() }

    /// The rejected packets: one, some, and one in twenty.
    private static let refused: [Set<Int>] = [[40], [40, 90, 91, 92], Set(stride(from: 10, to: 1000, by: 20))]

    @Test(arguments: refused) func `are not the delivery's fault`(packets: Set<Int>) throws {
        let path = try files.refused("long.mka", packets: packets)
        let report = try files.report(on: path, .background) { _ in }
        #expect(report.sourceComplaints.count >= min(packets.count, 15))
        #expect(report.differences.filter { $0.rule != .syntheticContent } == [])
        #expect(report.metrics.comparedSamples > 300_000)
    }

    @Test(arguments: [[40], [40, 90, 91, 92], Set(20..<60)] as [Set<Int>])
    func `do not hide wrong audio far from them`(packets: Set<Int>) throws {
        let path = try files.refused("long.mka", packets: packets)
        let (other, _) = try files.delivery(of: files.made("other.mka"), .background)
        let report = try files.report(on: path, .background) { $0[2] = try other.segment(2) }
        #expect(files.rules(report).contains(.soundAltered))
    }

    @Test func `are not the delivery's fault in speech codecs with unlimited memory`() throws {
        var state: UInt64 = 1
        let noise = (0..<24_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        let path = files.folder.path + "/noise.amr"
        try Data("#!AMR\n".utf8 + noise).write(to: URL(fileURLWithPath: path))
        let report = try files.report(on: path, .background) { _ in }
        #expect(report.sourceComplaints.count > 50)
        #expect(report.metrics.comparedSamples > 80_000)
        #expect(report.differences == [])
    }
}
