import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SeguePackager
@testable import SegueVerification

@Suite struct `A wrong delivery` {
    private let files: VerifiedFiles

    init() throws { files = try VerifiedFiles() }

    @Test func `cover art that is missing is found`() throws {
        let path = try files.made("cover.mp3")
        let (_, audioTracks) = try files.delivery(of: path, .background, in: .ts)
        let report = try files.report(on: path, in: .ts) { $0[1] = audioTracks[1] }
        #expect(files.rules(report).contains(.picturesMissing))
    }

    @Test func `a lost segment is reported with samples and frames`() throws {
        let report = try files.report(on: files.made("film.mp4")) { $0.remove(at: 1) }
        #expect(files.rules(report).isSuperset(of: [.soundMissing, .picturesMissing, .syntheticContent, .tracks]))
        #expect(report.metrics.missingFrames == 60)
        #expect((47_000...49_000).contains(report.metrics.missingSamples))
        let missing = report.differences.first { $0.rule == .soundMissing }
        #expect(abs((missing?.seconds ?? 0) - 6) < 0.2)
    }

    @Test func `a repeated segment is reported`() throws {
        let report = try files.report(on: files.made("film.mp4")) { $0.insert($0[1], at: 2) }
        #expect(files.rules(report).isSuperset(of: [.soundRepeated, .picturesExtra]))
        #expect(report.metrics.extraFrames == 60)
        #expect((47_000...49_000).contains(report.metrics.repeatedSamples))
    }

    @Test func `a lost or repeated segment of transcoded audio is reported`() throws {
        let path = try files.made("song.flac")
        let lost = try files.report(on: path, .background) { $0.remove(at: 1) }
        #expect(files.rules(lost).contains(.soundMissing))
        #expect((47_000...49_000).contains(lost.metrics.missingSamples))
        let again = try files.report(on: path, .background) { $0.insert($0[1], at: 2) }
        #expect(files.rules(again).contains(.soundRepeated))
        #expect((47_000...49_000).contains(again.metrics.repeatedSamples))
    }

    @Test func `altered bytes are altered audio or video`() throws {
        let report = try files.report(on: files.made("film.mp4"), .background) { segments in
            // Behind the headers, in the middle of the audio.
            for offset in 0..<40 { segments[1][segments[1].count / 2 + offset] ^= 0x55 }
        }
        #expect(files.rules(report).contains(.soundAltered))
        let film = try files.report(on: files.made("film.mp4")) { segments in
            let middle = FragmentEdits.firstData(in: segments[1]) + 200
            for offset in 0..<40 { segments[1][middle + offset] ^= 0x55 }
        }
        #expect(files.rules(film).contains(.picturesAltered))
    }

    @Test func `another file's segments are not the source's`() throws {
        let (other, _) = try files.delivery(of: files.made("front.mp4"), .background)
        let report = try files.report(on: files.made("film.mp4"), .background) { segments in
            for index in segments.indices { segments[index] = try other.segment(index) }
        }
        #expect(files.rules(report).isSuperset(of: [.soundAltered, .syntheticContent]))
    }

    @Test func `a video track in the background and invalid segments are reported`() throws {
        let path = try files.made("film.mp4")
        let (full, _) = try files.delivery(of: path, .full)
        var (background, _) = try files.delivery(of: path, .background)
        background.initSegment = full.initSegment
        background.segment = full.segment
        #expect(files.rules(try Verifier.verify(source: path, delivery: background)).contains(.tracks))
        let broken = try files.report(on: path, in: .ts) { $0[1] = [UInt8](repeating: 7, count: 5000) }
        #expect(files.rules(broken).contains(.segmentAlone))
    }

    @Test func `a missing source is reported`() throws {
        let path = try files.made("film.mp4")
        let (delivery, _) = try files.delivery(of: path, .full)
        try FileManager.default.removeItem(atPath: path)
        let report = try Verifier.verify(source: path, delivery: delivery)
        #expect(files.rules(report) == [.sourceUnreadable])
    }

    @Test func `verification stops if canceled`() throws {
        let path = try files.made("film.mp4")
        let (delivery, _) = try files.delivery(of: path, .full)
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: MediaError.self) {
            try Verifier.verify(source: path, delivery: delivery, cancellation: cancellation)
        }
    }
}
