import Foundation
import Media
@testable import Packager
import Synthesis
import TestSupport
import Testing
import Timeline

@testable import Verification

@Suite struct `Verified delivery` {
    private static let recipes = """
        recipes:
          - file: film.mp4
            about: A film.
            format: mp4
            duration: 20
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, bframes: 2, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 8000, channels: 1, options: {aac_pns: "0"}}]
          - file: song.flac
            about: A song whose sound is transcoded.
            format: flac
            duration: 20
            audio: [{codec: flac, rate: 8000, channels: 1}]
          - file: cover.mp3
            about: A song with a cover.
            format: mp3
            muxer: {id3v2_version: 3}
            duration: 14
            audio: [{codec: libmp3lame, rate: 44100}]
            artwork: {codec: mjpeg, size: 160x120}
          - file: short.mp3
            about: A song with a cover, over before a reader that looks ahead has seen much.
            format: mp3
            muxer: {id3v2_version: 3}
            duration: 2.7
            audio: [{codec: libmp3lame, rate: 44100}]
            artwork: {codec: mjpeg, size: 160x120}
          - file: dolby.mp4
            about: A film with Dolby's sound.
            format: mp4
            duration: 20
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, options: {preset: ultrafast}}
            audio: [{codec: ac3, rate: 48000, channels: 1, bitrate: 96000}]
          - file: cut.mp4
            about: A film whose frames of sound are shorter than what a cut leaves.
            format: mp4
            duration: 14
            video: {codec: libx264, size: 96x64, rate: 25, interval: 50, bframes: 2, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 48000, channels: 1}]
          - file: dolby.ac3
            about: Dolby's sound, whose container rounds the time of each frame.
            format: ac3
            duration: 20
            audio: [{codec: ac3, rate: 44100, channels: 1, bitrate: 96000}]
          - file: damaged.mp4
            about: A film with noise in the middle.
            copy: front.mp4
            damage: [{corrupt: 0.5, bytes: 3000}]
          - file: front.mp4
            about: A film with its index at the front.
            format: mp4
            muxer: {movflags: +faststart}
            duration: 20
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 8000, channels: 1}]
        """

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func made(_ name: String) throws -> String {
        try MediaMaker(recipes: RecipeReader.parse(Self.recipes, file: "test")).make(name, into: folder.path)
    }

    /// What the Packager delivers of a file.
    private func delivery(
        of path: String,
        _ rendition: Rendition,
        in container: SegmentContainer = .fmp4
    ) throws -> (delivery: Delivery, segments: [[UInt8]]) {
        let presentation = try Presentation.open(path: path, cancellation: Cancellation())
        let description = try presentation.rendition(rendition, in: container)
        let segments = try (0..<description.extent.segmentCount).map {
            try presentation.segment($0, of: rendition, in: container, cancellation: Cancellation())
        }
        let delivery = Delivery(
            description: description,
            plan: presentation.plan,
            initSegment: container == .fmp4 ? try presentation.initSegment(rendition) : [],
            segments: segments
        )
        return (delivery, segments)
    }

    /// The report about a delivery whose segments were changed.
    private func report(
        on path: String,
        _ rendition: Rendition = .full,
        in container: SegmentContainer = .fmp4,
        changing change: (inout [[UInt8]]) throws -> Void
    ) throws -> VerificationReport {
        var (delivery, segments) = try delivery(of: path, rendition, in: container)
        try change(&segments)
        delivery.segmentCount = segments.count
        delivery.segment = { [segments] in segments[$0] }
        return try Verifier.verify(source: path, delivery: delivery)
    }

    private func rules(_ report: VerificationReport) -> Set<VerificationReport.Rule> {
        Set(report.findings.map(\.rule))
    }

    @Test(arguments: [SegmentContainer.fmp4, .ts])
    func `cover art that stands for a film is right`(container: SegmentContainer) throws {
        let path = try made("cover.mp3")
        let report = try report(on: path, in: container) { _ in }
        #expect(report.findings.isEmpty, "\(report.findings)")
        // A picture each second of 14.
        #expect((13...16).contains(report.metrics.comparedPictures))
        #expect(report.metrics.leastLikeness ?? 0 > 0.9)
    }

    @Test func `cover art of a short song is shown often enough for readers that look ahead`() throws {
        let report = try report(on: made("short.mp3"), in: .ts) { _ in }
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.metrics.comparedPictures == 9)
    }

    @Test func `cover art that is missing is found`() throws {
        let path = try made("cover.mp3")
        let (_, sounds) = try delivery(of: path, .background, in: .ts)
        let report = try report(on: path, in: .ts) { $0[1] = sounds[1] }
        #expect(rules(report).contains(.picturesMissing))
    }

    @Test(arguments: [SegmentContainer.fmp4, .ts], Rendition.principal)
    func `a copied film is right`(container: SegmentContainer, rendition: Rendition) throws {
        let report = try report(on: made("film.mp4"), rendition, in: container) { _ in }
        #expect(report.findings == [])
        #expect(report.metrics.comparedSamples >= 160_000)
        #expect(report.metrics.missingSamples == 0)
        #expect(report.metrics.leadingSamples == 1024)
        #expect(report.metrics.comparedPictures == (rendition == .full ? 200 : 0))
        #expect(abs(report.metrics.avOffsetMilliseconds ?? 9) < 0.1)
    }

    @Test(arguments: [SegmentContainer.fmp4, .ts], Rendition.principal)
    func `a copied film is known by its packets`(container: SegmentContainer, rendition: Rendition) throws {
        let path = try made("film.mp4")
        let (delivery, segments) = try delivery(of: path, rendition, in: container)
        let report = try Verifier.byPackets(source: path, delivery: delivery, cancellation: Cancellation())
        #expect(report?.metrics == (try Verifier.verify(source: path, delivery: delivery)).metrics)
        #expect(report?.metrics.leadingSamples == 1024)
        var changed = delivery
        changed.segment = { number in
            var bytes = segments[number]
            if number == 1 { bytes[bytes.count * 3 / 4] ^= 0x10 }
            return bytes
        }
        #expect(try Verifier.byPackets(source: path, delivery: changed, cancellation: Cancellation()) == nil)
        changed = delivery
        changed.segmentCount -= 1
        #expect(try Verifier.byPackets(source: path, delivery: changed, cancellation: Cancellation()) == nil)
    }

    @Test func `the right packets with another set-up of the decoder are not right`() throws {
        let path = try made("film.mp4")
        var (delivery, _) = try delivery(of: path, .background)
        // AAC-LC, 8 kHz, one channel (ISO/IEC 14496-3, 1.6.2.1), made 16 kHz.
        let mono: [UInt8] = [0x15, 0x88]
        let place = delivery.initSegment.indices.dropLast().first { Array(delivery.initSegment[$0...$0 + 1]) == mono }
        delivery.initSegment.replaceSubrange(try #require(place)...(place ?? 0) + 1, with: [0x14, 0x08])
        #expect(try Verifier.byPackets(source: path, delivery: delivery, cancellation: Cancellation()) == nil)
        #expect(try !Verifier.verify(source: path, delivery: delivery).isRight)
    }

    @Test func `transcoded sound that was compared before is known by its packets, and other sound is not`() throws {
        let path = try made("song.flac")
        let (full, segments) = try delivery(of: path, .full)
        let (background, _) = try delivery(of: path, .background)
        let compared = ComparedSounds()
        func byPackets(_ delivery: Delivery) throws -> VerificationReport? {
            try Verifier.byPackets(
                source: path,
                delivery: delivery,
                compared: compared,
                cancellation: Cancellation()
            )
        }
        #expect(try byPackets(full) == nil)
        let report = try Verifier.verify(source: path, delivery: full, compared: compared)
        #expect(report.findings == [])
        #expect(try byPackets(background)?.metrics == Verifier.verify(source: path, delivery: background).metrics)
        var changed = full
        changed.segment = { number in
            var bytes = segments[number]
            if number == 1 { bytes[bytes.count * 3 / 4] ^= 0x10 }
            return bytes
        }
        #expect(try byPackets(changed) == nil)
        changed.segment = { segments[max($0, 1)] }
        #expect(try byPackets(changed) == nil)
        // What was found wrong is known no better than before.
        let other = ComparedSounds()
        #expect(try !Verifier.verify(source: path, delivery: changed, compared: other).isRight)
        #expect(try !Verifier.verify(source: path, delivery: changed, compared: other).isRight)
    }

    @Test(arguments: ["film.mp4", "song.flac", "cover.mp3"], [false, true])
    func `on any number of cores the same is found`(file: String, isBroken: Bool) throws {
        let path = try made(file)
        let (delivery, segments) = try delivery(of: path, .full)
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
    func `sound whose container rounds the time of each frame is right`(container: SegmentContainer) throws {
        let path = try made("dolby.ac3")
        let report = try report(on: path, .background, in: container) { _ in }
        #expect(report.findings == [])
        #expect(report.metrics.comparedSamples % 1536 == 0)
        #expect((870_000...885_000).contains(report.metrics.comparedSamples))
        let (delivery, _) = try delivery(of: path, .background, in: container)
        let quick = try Verifier.byPackets(source: path, delivery: delivery, cancellation: Cancellation())
        #expect(quick?.metrics == report.metrics)
    }

    @Test func `a transcoded song is right, also at the borders`() throws {
        let report = try report(on: made("song.flac"), .background) { _ in }
        #expect(report.findings == [])
        #expect(report.metrics.comparedSamples == 160_000)
        #expect(report.metrics.borderError != nil)
    }

    @Test func `a lost segment is told with samples and pictures`() throws {
        let report = try report(on: made("film.mp4")) { $0.remove(at: 1) }
        #expect(rules(report).isSuperset(of: [.soundMissing, .picturesMissing, .syntheticContent, .tracks]))
        #expect(report.metrics.missingPictures == 60)
        #expect((47_000...49_000).contains(report.metrics.missingSamples))
        let missing = report.findings.first { $0.rule == .soundMissing }
        #expect(abs((missing?.seconds ?? 0) - 6) < 0.2)
    }

    @Test func `a repeated segment is told`() throws {
        let report = try report(on: made("film.mp4")) { $0.insert($0[1], at: 2) }
        #expect(rules(report).isSuperset(of: [.soundRepeated, .picturesExtra]))
        #expect(report.metrics.extraPictures == 60)
        #expect((47_000...49_000).contains(report.metrics.repeatedSamples))
    }

    @Test func `a segment lost or repeated in a transcoded song is told`() throws {
        let path = try made("song.flac")
        let lost = try report(on: path, .background) { $0.remove(at: 1) }
        #expect(rules(lost).contains(.soundMissing))
        #expect((47_000...49_000).contains(lost.metrics.missingSamples))
        let again = try report(on: path, .background) { $0.insert($0[1], at: 2) }
        #expect(rules(again).contains(.soundRepeated))
        #expect((47_000...49_000).contains(again.metrics.repeatedSamples))
    }

    @Test func `sound whose timestamps are late is told in milliseconds`() throws {
        let late = try report(on: made("film.mp4")) { segments in
            for index in segments.indices { Boxes.move(track: 1, by: 512, in: &segments[index]) }
        }
        #expect(rules(late) == [.avOffset])
        #expect(abs((late.metrics.avOffsetMilliseconds ?? 0) - 64) < 0.1)
        let once = try report(on: made("film.mp4")) { Boxes.move(track: 1, by: 160, in: &$0[2]) }
        #expect(rules(once) == [.soundTime])
    }

    @Test func `pictures whose timestamps are late are told`() throws {
        let report = try report(on: made("film.mp4")) { Boxes.move(track: 0, by: 1000, in: &$0[2]) }
        #expect(rules(report).contains(.pictureTime))
        #expect(rules(report).isSubset(of: [.pictureTime, .segmentStart]))
    }

    @Test func `altered bytes are altered sound or pictures`() throws {
        let report = try report(on: made("film.mp4"), .background) { segments in
            // Past the headers, in the middle of the sound.
            for offset in 0..<40 { segments[1][segments[1].count / 2 + offset] ^= 0x55 }
        }
        #expect(rules(report).contains(.soundAltered))
        let film = try self.report(on: made("film.mp4")) { segments in
            let middle = Boxes.firstData(in: segments[1]) + 200
            for offset in 0..<40 { segments[1][middle + offset] ^= 0x55 }
        }
        #expect(rules(film).contains(.picturesAltered))
    }

    @Test func `another file's segments are not the source's`() throws {
        let (other, _) = try delivery(of: made("front.mp4"), .background)
        let report = try report(on: made("film.mp4"), .background) { segments in
            for index in segments.indices { segments[index] = try other.segment(index) }
        }
        #expect(rules(report).isSuperset(of: [.soundAltered, .syntheticContent]))
    }

    @Test func `a video track in the background and segments that are none are told`() throws {
        let path = try made("film.mp4")
        let (full, _) = try delivery(of: path, .full)
        var (background, _) = try delivery(of: path, .background)
        background.initSegment = full.initSegment
        background.segment = full.segment
        #expect(rules(try Verifier.verify(source: path, delivery: background)).contains(.tracks))
        let broken = try report(on: path, in: .ts) { $0[1] = [UInt8](repeating: 7, count: 5000) }
        #expect(rules(broken).contains(.segmentAlone))
    }

    @Test func `a segment that begins elsewhere than planned is told`() throws {
        let path = try made("film.mp4")
        var (delivery, _) = try delivery(of: path, .full)
        let plan = delivery.plan
        let moved = plan.segments.map { segment in
            PlannedSegment(
                number: segment.number,
                start: segment.number == 1 ? segment.start + Rational(1, 10) : segment.start,
                duration: segment.duration,
                startsDiscontinuity: false
            )
        }
        delivery.plan = SegmentPlan(segments: moved, origin: plan.origin, timestampOffset: plan.timestampOffset)
        #expect(rules(try Verifier.verify(source: path, delivery: delivery)) == [.segmentStart])
    }

    @Test func `of a damaged source nothing more is lost`() throws {
        let path = try made("damaged.mp4")
        let report = try report(on: path) { _ in }
        #expect(report.findings == [])
        #expect(report.metrics.comparedPictures > 100)
        // Where a packet is not the source's, it is compared with what can be decoded of the damaged source.
        let lost = try self.report(on: path) { $0[1][$0[1].count - 100] ^= 0x55 }
        #expect(!lost.sourceComplaints.isEmpty)
    }

    @Test func `a source that has gone is told`() throws {
        let path = try made("film.mp4")
        let (delivery, _) = try delivery(of: path, .full)
        try FileManager.default.removeItem(atPath: path)
        let report = try Verifier.verify(source: path, delivery: delivery)
        #expect(rules(report) == [.sourceUnreadable])
    }

    /// A film whose edits are others.
    private func edited(_ name: String, _ change: (MovieEdits.Track) -> [MovieEdits.Edit]) throws -> String {
        let path = try made(name)
        var movie = MovieEdits([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        movie.change(change)
        let edited = folder.path + "/edited-" + name
        try Data(movie.bytes).write(to: URL(fileURLWithPath: edited))
        return edited
    }

    /// A film whose sound begins 5 s and 513 samples into what is stored, inside a frame.
    private func beginningInside(_ name: String) throws -> String {
        try edited(name) { track in
            guard track.isSound else { return track.edits }
            return track.edits.map { edit in
                var edit = edit
                edit.start = 5 * track.scales.own + 513
                edit.duration = 15 * track.scales.movie
                return edit
            }
        }
    }

    @Test(arguments: ["film.mp4", "dolby.mp4"], [SegmentContainer.fmp4, .ts])
    func `sound whose edit begins inside a frame is right`(name: String, container: SegmentContainer) throws {
        let path = try beginningInside(name)
        for rendition in Rendition.principal {
            let report = try report(on: path, rendition, in: container) { _ in }
            #expect(report.findings == [])
            // Two frames for the decoder, and what lies before the edit in the first that is heard; of AC-3, libav takes
            // the frame before that for one that is heard, and then drops it.
            let leading = name == "dolby.mp4" ? 3 * 1536 + (5 * 48000 + 513) % 1536 : 2 * 1024 + (5 * 8000 + 513) % 1024
            #expect(report.metrics.leadingSamples == Int64(leading))
            #expect(abs(report.metrics.avOffsetMilliseconds ?? 9) < 0.1)
        }
    }

    @Test func `sound that is 17 ms late after an edit inside a frame is told`() throws {
        let path = try beginningInside("film.mp4")
        let late = try report(on: path) { segments in
            for index in segments.indices { Boxes.move(track: 1, by: 136, in: &segments[index]) }
        }
        #expect(rules(late) == [.avOffset])
        let once = try report(on: path) { Boxes.move(track: 1, by: 136, in: &$0[2]) }
        #expect(rules(once) == [.soundTime])
    }

    @Test(arguments: [2816, 9600], [0, 816, -816])
    func `sound that is 17 ms off is told where a cut leaves a first packet too long`(units: Int, late: Int) throws {
        let path = folder.path + "/stretched.mp4"
        var movie = MovieEdits([UInt8](try Data(contentsOf: URL(fileURLWithPath: made("cut.mp4")))))
        movie.stretchFirstSound(by: units)
        try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
        let report = try report(on: path) { segments in
            for index in segments.indices {
                Boxes.move(track: 1, by: UInt64(bitPattern: Int64(late)), in: &segments[index])
            }
        }
        #expect(rules(report).subtracting([.syntheticContent]) == (late == 0 ? [] : [.avOffset]))
    }

    @Test(arguments: [[2.0..<6.3, 9.1..<17], [12.5..<17, 2.5..<6.3]])
    func `a film from which an edit list leaves out a part, or that it shows in another order, is right`(
        pieces: [Range<Double>]
    ) throws {
        let path = try edited("film.mp4") { track in
            pieces.map { piece in
                MovieEdits.Edit(
                    duration: Int((piece.upperBound - piece.lowerBound) * Double(track.scales.movie)),
                    start: (track.edits.last?.start ?? 0) + Int(piece.lowerBound * Double(track.scales.own))
                )
            }
        }
        let report = try report(on: path) { _ in }
        #expect(report.findings.filter { $0.rule != .syntheticContent } == [])
        let seconds = pieces.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        #expect(abs(Double(report.metrics.comparedPictures) - seconds * 10) <= 2)
        #expect(abs(Double(report.metrics.comparedSamples) - seconds * 8000) <= 1024)
    }

    @Test func `a cancelled verification stops`() throws {
        let path = try made("film.mp4")
        let (delivery, _) = try delivery(of: path, .full)
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: MediaError.self) {
            try Verifier.verify(source: path, delivery: delivery, cancellation: cancellation)
        }
    }
}

/// Changes fragmented MP4 in memory.
private enum Boxes {
    /// Adds to the decode time of a track's fragments, the tracks counted in their order in the file.
    static func move(track: Int, by ticks: UInt64, in bytes: inout [UInt8]) {
        let places = positions(of: "tfdt", in: bytes)
        guard track < places.count else { return }
        // Version 1: 64 bits after version and flags.
        let place = places[track] + 8
        var time = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[place + $1]) }
        time &+= ticks
        for index in 0..<8 { bytes[place + index] = UInt8(time >> UInt64(56 - 8 * index) & 0xFF) }
    }

    /// Where the first samples begin.
    static func firstData(in bytes: [UInt8]) -> Int { (positions(of: "mdat", in: bytes).first ?? 0) + 4 }

    /// Where a box's type stands, for each such box.
    private static func positions(of type: String, in bytes: [UInt8]) -> [Int] {
        let type = Array(type.utf8)
        return (0..<bytes.count - 4).filter { Array(bytes[$0..<$0 + 4]) == type }
    }
}
