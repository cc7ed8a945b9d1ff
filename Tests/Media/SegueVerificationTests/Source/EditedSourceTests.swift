import Foundation
import SegueBase
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SeguePackager
@testable import SegueVerification

@Suite struct `A source with edits` {
    private let files: VerifiedFiles

    init() throws { files = try VerifiedFiles() }

    /// A movie whose audio begins 0.2 s and 513 samples into the stored audio, inside a frame.
    private func beginningInside(_ name: String) throws -> String {
        try files.edited(name) { track in
            guard track.isAudio else { return track.edits }
            return track.edits.map { edit in
                var edit = edit
                edit.start = track.scales.own / 5 + 513
                edit.duration = 197 * track.scales.movie / 10
                return edit
            }
        }
    }

    @Test(arguments: ["film.mp4", "dolby.mp4"], [SegmentContainer.fmp4, .ts])
    func `audio with an edit inside a frame is correct`(name: String, container: SegmentContainer) throws {
        let path = try beginningInside(name)
        for rendition in Rendition.principal {
            let report = try files.report(on: path, rendition, in: container) { _ in }
            #expect(report.differences == [])
            // Two frames for the decoder, and the part before the edit in the first audible one; for AC-3, libav treats
            // the preceding frame as audible and then drops it.
            let leading = name == "dolby.mp4" ? 3 * 1536 + (9600 + 513) % 1536 : 2 * 1024 + (1600 + 513) % 1024
            #expect(report.metrics.leadingSamples == Int64(leading))
            #expect(abs(report.metrics.avOffsetMilliseconds ?? 9) < 0.1)
        }
    }

    @Test(arguments: [SegmentContainer.fmp4, .ts], Rendition.principal)
    func `silence in a hole of the source's audio is correct`(
        container: SegmentContainer,
        rendition: Rendition
    ) throws {
        let path = files.folder.path + "/hole.mp4"
        var movie = MovieEdits([UInt8](try Data(contentsOf: URL(fileURLWithPath: files.made("cut.mp4")))))
        // The second packet begins 20 s late.
        movie.stretchFirstAudio(by: 20 * 48000)
        try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
        let report = try files.report(on: path, rendition, in: container) { _ in }
        #expect(report.differences == [])
        #expect(abs(report.metrics.avOffsetMilliseconds ?? 9) < 1)
        #expect(report.metrics.comparedSamples > 33 * 48000)
    }

    @Test(arguments: [true, false], [SegmentContainer.fmp4, .ts])
    func `a track that begins 8 s late, or ends 8 s early, is correct with silence or a still frame`(
        isAudio: Bool,
        container: SegmentContainer
    ) throws {
        let made = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files.made("cut.mp4"))))
        for isLate in [true, false] {
            var movie = MovieEdits(made)
            movie.change { track in
                guard track.isAudio == isAudio, var edit = track.edits.last else { return track.edits }
                edit.duration -= 8 * track.scales.movie
                let pause = MovieEdits.Edit(duration: 8 * track.scales.movie, start: -1)
                return isLate ? [pause, edit] : [edit]
            }
            let path = files.folder.path + "/moved.mp4"
            try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
            let report = try files.report(on: path, .full, in: container) { _ in }
            #expect(report.differences == [], "late: \(isLate)")
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test(arguments: [0, 104], [SegmentContainer.fmp4, .ts])
    func `audio that an edit list continues inside a frame is in step`(
        excess: Int,
        container: SegmentContainer
    ) throws {
        let path = try files.edited("film.mp4") { track in
            guard track.isAudio, let edit = track.edits.last else { return track.edits }
            let first = 4 * track.scales.movie + excess * track.scales.movie / 8000
            let media = edit.start + 9 * track.scales.own + excess * track.scales.own / 8000
            return [
                MovieEdits.Edit(duration: first, start: edit.start),
                MovieEdits.Edit(duration: 6 * track.scales.movie, start: media),
            ]
        }
        let report = try files.report(on: path, .full, in: container) { _ in }
        #expect(files.rules(report).isDisjoint(with: [.soundTime, .avOffset, .soundAltered, .soundMissing]))
        #expect(abs(report.metrics.avOffsetMilliseconds ?? 9) < 1)
    }

    @Test func `noise in place of silence is reported`() {
        var ends = SilentEnds(priming: 50_000)
        ends.add([[0, 0.001]], at: 0, length: 2)
        ends.add([[0.5]], at: 60_000, length: 1)
        #expect(ends.loud(contentEnd: 70_000) == nil)
        #expect(ends.loud(contentEnd: 50_000) == 60_000)
        var early = SilentEnds(priming: 50_000)
        early.add([[0.5]], at: 1000, length: 1)
        #expect(early.loud(contentEnd: 70_000) == 1000)
    }

    @Test func `audio 17 ms late after an edit inside a frame is reported`() throws {
        let path = try beginningInside("film.mp4")
        let late = try files.report(on: path) { segments in
            for index in segments.indices { FragmentEdits.move(track: 1, by: 136, in: &segments[index]) }
        }
        #expect(files.rules(late) == [.avOffset])
        let once = try files.report(on: path) { FragmentEdits.move(track: 1, by: 136, in: &$0[2]) }
        #expect(files.rules(once) == [.soundTime])
    }

    @Test(arguments: [2816, 9600], [0, 816, -816])
    func `audio 17 ms off is reported if a cut leaves a long first packet`(units: Int, late: Int) throws {
        let path = files.folder.path + "/stretched.mp4"
        var movie = MovieEdits([UInt8](try Data(contentsOf: URL(fileURLWithPath: files.made("cut.mp4")))))
        movie.stretchFirstAudio(by: units)
        try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
        let report = try files.report(on: path) { segments in
            for index in segments.indices {
                FragmentEdits.move(track: 1, by: UInt64(bitPattern: Int64(late)), in: &segments[index])
            }
        }
        #expect(files.rules(report).subtracting([.syntheticContent]) == (late == 0 ? [] : [.avOffset]))
    }

    @Test(arguments: [[2.0..<6.3, 9.1..<17], [12.5..<17, 2.5..<6.3]])
    func `a movie with parts omitted or reordered by an edit list is correct`(
        pieces: [Range<Double>]
    ) throws {
        let path = try files.edited("film.mp4") { track in
            pieces.map { piece in
                MovieEdits.Edit(
                    duration: Int((piece.upperBound - piece.lowerBound) * Double(track.scales.movie)),
                    start: (track.edits.last?.start ?? 0) + Int(piece.lowerBound * Double(track.scales.own))
                )
            }
        }
        let report = try files.report(on: path) { _ in }
        #expect(report.differences.filter { $0.rule != .syntheticContent } == [])
        let seconds = pieces.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        #expect(abs(Double(report.metrics.comparedFrames) - seconds * 10) <= 2)
        #expect(abs(Double(report.metrics.comparedSamples) - seconds * 8000) <= 1024)
    }
}
