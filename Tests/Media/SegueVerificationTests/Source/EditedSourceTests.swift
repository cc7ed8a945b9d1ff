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

    /// A movie whose audio begins 5 s and 513 samples into the stored audio, inside a frame.
    private func beginningInside(_ name: String) throws -> String {
        try files.edited(name) { track in
            guard track.isAudio else { return track.edits }
            return track.edits.map { edit in
                var edit = edit
                edit.start = 5 * track.scales.own + 513
                edit.duration = 15 * track.scales.movie
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
            let leading = name == "dolby.mp4" ? 3 * 1536 + (5 * 48000 + 513) % 1536 : 2 * 1024 + (5 * 8000 + 513) % 1024
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
