import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SeguePackager
@testable import SegueVerification

@Suite struct `A right delivery` {
    private let files: VerifiedFiles

    init() throws { files = try VerifiedFiles() }

    @Test(arguments: [SegmentContainer.fmp4, .ts])
    func `cover art as video is correct`(container: SegmentContainer) throws {
        let path = try files.made("cover.mp3")
        let report = try files.report(on: path, in: container) { _ in }
        #expect(report.differences.isEmpty, "\(report.differences)")
        // One frame per second for 14 s.
        #expect((13...16).contains(report.metrics.comparedFrames))
        #expect(report.metrics.leastLikeness ?? 0 > 0.9)
    }

    @Test func `cover art of a short song is repeated often enough for parsers with lookahead`() throws {
        let report = try files.report(on: files.made("short.mp3"), in: .ts) { _ in }
        #expect(report.differences.isEmpty, "\(report.differences)")
        #expect(report.metrics.comparedFrames == 9)
    }

    @Test(arguments: [SegmentContainer.fmp4, .ts], Rendition.principal)
    func `a copied video is correct`(container: SegmentContainer, rendition: Rendition) throws {
        let report = try files.report(on: files.made("film.mp4"), rendition, in: container) { _ in }
        #expect(report.differences == [])
        #expect(report.metrics.comparedSamples >= 160_000)
        #expect(report.metrics.missingSamples == 0)
        #expect(report.metrics.leadingSamples == 1024)
        #expect(report.metrics.comparedFrames == (rendition == .full ? 200 : 0))
        #expect(abs(report.metrics.avOffsetMilliseconds ?? 9) < 0.1)
    }

    @Test(arguments: ["film.mp4", "song.flac", "cover.mp3"], [false, true])
    func `the findings do not depend on the number of cores`(file: String, isBroken: Bool) throws {
        let path = try files.made(file)
        let (delivery, segments) = try files.delivery(of: path, .full)
        var given = delivery
        given.segment = { number in
            guard isBroken else { return segments[number] }
            return number == 0 ? Array(segments[0].prefix(segments[0].count / 2)) : segments[number]
        }
        let alone = try Verifier.verify(source: path, delivery: given)
        #expect(alone.isRight == !isBroken)
        for cores in [Cores(2), Cores(1, most: 4), Cores(5)] {
            #expect(try Verifier.verify(source: path, delivery: given, cores: cores) == alone)
        }
    }

    @Test(arguments: [SegmentContainer.fmp4, .ts])
    func `audio with rounded timestamps is correct`(container: SegmentContainer) throws {
        let path = try files.made("dolby.ac3")
        let report = try files.report(on: path, .background, in: container) { _ in }
        #expect(report.differences == [])
        #expect(report.metrics.comparedSamples % 1536 == 0)
        #expect((870_000...885_000).contains(report.metrics.comparedSamples))
        let (delivery, _) = try files.delivery(of: path, .background, in: container)
        let quick = try Verifier.byPackets(source: path, delivery: delivery, cancellation: Cancellation())
        #expect(quick?.metrics == report.metrics)
    }

    @Test func `transcoded audio is correct, also at boundaries`() throws {
        let report = try files.report(on: files.made("song.flac"), .background) { _ in }
        #expect(report.differences == [])
        #expect(report.metrics.comparedSamples == 160_000)
        #expect(report.metrics.borderError != nil)
    }

    @Test func `nothing more of a damaged source is lost`() throws {
        let path = try files.made("damaged.mp4")
        let report = try files.report(on: path) { _ in }
        #expect(report.differences == [])
        #expect(report.metrics.comparedFrames > 100)
        // Differing packets are compared with the decodable part of the damaged source.
        let lost = try files.report(on: path) { $0[1][$0[1].count - 100] ^= 0x55 }
        #expect(!lost.sourceComplaints.isEmpty)
    }
}
