import SegueBase
import SegueTestSupport
import Testing

@testable import SeguePlaylists

@Suite struct `Delta updates` {
    private static let former = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:10
        #EXT-X-DATERANGE:ID="old",START-DATE="2026-01-02T03:04:05Z"
        #EXT-X-DATERANGE:ID="kept",START-DATE="2026-01-02T03:04:05Z",PLANNED-DURATION=2
        #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
        #EXT-X-MAP:URI="i.mp4"
        #EXT-X-BITRATE:500
        #EXTINF:4,
        10.mp4
        #EXT-X-PART:DURATION=4,URI="11.0.mp4"
        #EXTINF:4,
        11.mp4
        #EXT-X-BYTERANGE:50@100
        #EXTINF:4,
        all.mp4
        #EXTINF:4,
        13.mp4

        """

    private static let delta = """
        #EXTM3U
        #EXT-X-VERSION:10
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:11
        #EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES="old\tolder"
        #EXT-X-BYTERANGE:7
        #EXTINF:4,
        all.mp4
        #EXT-X-BYTERANGE:8
        #EXTINF:4,
        all.mp4
        #EXT-X-MAP:URI="j.mp4"
        #EXTINF:4,
        15.mp4
        #EXT-X-DATERANGE:ID="kept",END-DATE="2026-01-02T03:04:08Z"
        #EXT-X-DATERANGE:ID="new",START-DATE="2026-01-02T03:04:05Z"
        #EXT-X-KEY:METHOD=NONE
        #EXT-X-PART:DURATION=4,URI="16.0.mp4"

        """

    @Test func `skipped segments come from the previous playlist`() throws {
        let update = try MediaPlaylist.reading(Self.delta)
        #expect(update.skip?.segments == 2)
        #expect(update.skip?.recentlyRemovedDateRanges == ["old", "older"])
        #expect(update.firstListedSequence == 13 && update.nextSequence == 16)
        #expect(update.requiredVersion == 10)
        let whole = try update.applied(to: MediaPlaylist.reading(Self.former))
        let key = MediaKey(method: "AES-128", uri: "k", initializationVector: "0x1")
        let map = MediaMap(uri: "i.mp4", keys: [key])
        #expect(whole.skip == nil && whole.mediaSequence == 11)
        var first = MediaSegment(uri: "11.mp4", duration: Rational(4), map: map, keys: [key])
        first.bitrate = 500
        let ranges = [
            ByteRange(offset: 100, length: 50), ByteRange(offset: 150, length: 7), ByteRange(offset: 157, length: 8),
        ].map { MediaSegment(uri: "all.mp4", duration: Rational(4), byteRange: $0, map: map, keys: [key]) }
        let lastMap = MediaMap(uri: "j.mp4", keys: [key])
        var last = MediaSegment(uri: "15.mp4", duration: Rational(4), map: lastMap, keys: [key])
        last.bitrate = 500
        #expect(whole.segments == [first] + ranges + [last])
        #expect(whole.open?.map == MediaMap(uri: "j.mp4", keys: [key]))
        #expect(whole.open?.keys == [])
        #expect(whole.dateRanges.map(\.id) == ["kept", "new"])
        #expect(whole.dateRanges[0].plannedDuration == Rational(2))
        #expect(whole.dateRanges[0].endDate == "2026-01-02T03:04:08Z")
    }

    @Test func `without a list of removed ones, all date ranges are in the update`() throws {
        let text = Self.delta.replacing(",RECENTLY-REMOVED-DATERANGES=\"old\tolder\"", with: "")
        let update = try MediaPlaylist.reading(text)
        #expect(update.requiredVersion == 9)
        #expect(try update.applied(to: MediaPlaylist.reading(Self.former)).dateRanges.map(\.id) == ["new"])
        let none = Self.delta.replacing("old\tolder", with: "")
        #expect(try MediaPlaylist.reading(none).skip?.recentlyRemovedDateRanges == [])
    }

    @Test func `a delta update reads back the same`() throws {
        let lines = Self.delta.split(separator: "\n").filter { !$0.contains("BYTERANGE") }
        var update = try MediaPlaylist.reading(lines.joined(separator: "\n"))
        update.declaredVersion = update.requiredVersion
        #expect(try MediaPlaylist.reading(update.text) == update)
    }

    @Test func `a delta update that does not fit is refused`() throws {
        let former = try MediaPlaylist.reading(Self.former)
        let update = try MediaPlaylist.reading(Self.delta)
        #expect(throws: DeltaUpdateError.formerIsDelta) { try update.applied(to: update) }
        var later = former
        later.mediaSequence = 12
        #expect(throws: DeltaUpdateError.segmentsMissing(first: 11, last: 12)) { try update.applied(to: later) }
        var shorter = former
        shorter.segments.removeLast(2)
        #expect(throws: DeltaUpdateError.segmentsMissing(first: 11, last: 12)) { try update.applied(to: shorter) }
        var other = former
        other.segments[2].uri = "other.mp4"
        #expect(throws: DeltaUpdateError.rangeMissing(segment: 13)) { try update.applied(to: other) }
        other.segments[2].uri = "all.mp4"
        other.segments[2].byteRange = ByteRange(offset: .max - 1, length: 1)
        #expect(throws: DeltaUpdateError.rangeMissing(segment: 13)) { try update.applied(to: other) }
        var hostile = update
        for (sequence, skipped) in [(0, 1 << 53), (1 << 53, 1 << 53), (1 << 53, 0), (11, 1 << 53), (0, -1)] {
            (hostile.mediaSequence, hostile.skip) = (sequence, PlaylistSkip(segments: skipped))
            #expect(throws: DeltaUpdateError.self) { try hostile.applied(to: former) }
        }
        #expect(try former.applied(to: update) == former)
    }

    @Test func `applying a delta update restores the whole playlist`() throws {
        var random = SeededRandom(seed: 7)
        let keys = [MediaKey(method: "AES-128", uri: "k"), MediaKey(method: "AES-128", uri: "l")]
        for _ in 0..<400 {
            var map: MediaMap?
            var inForce: [MediaKey] = []
            var bitrate: Int?
            func change(_ chance: Int) -> Bool { Int.random(in: 0..<chance, using: &random) == 0 }
            func step() {
                if change(4) { inForce = Bool.random(using: &random) ? [] : [keys.randomElement(using: &random)!] }
                if change(3) { map = MediaMap(uri: ["i", "j"].randomElement(using: &random)!, keys: inForce) }
                if change(4) { inForce = Bool.random(using: &random) ? [] : [keys.randomElement(using: &random)!] }
                if change(4) { bitrate = Int.random(in: 1...3, using: &random) }
            }
            let segments = (0..<8).map { number in
                step()
                var segment = MediaSegment(uri: "\(number)", duration: Rational(4), map: map, keys: inForce)
                segment.bitrate = bitrate
                return segment
            }
            step()
            let open = OpenSegment(parts: [PartialSegment(uri: "p", duration: Rational(1))], map: map, keys: inForce)
            var whole = MediaPlaylist(segments: segments, kind: nil, hasEndList: false, mediaSequence: 3)
            var former = whole
            former.segments.removeLast(2)
            former.dateRanges = [DateRange(id: "a", startDate: "2026-01-02T03:04:05Z")]
            whole.open = open
            whole.segments.removeFirst()
            whole.mediaSequence += 1
            let count = Int.random(in: 0...5, using: &random)
            let update = whole.delta(skipping: count)
            var read = try MediaPlaylist.reading(update.text)
            read.declaredVersion = nil
            if count > 0 { #expect(read == update) }
            #expect(try read.applied(to: former) == whole)
        }
    }
}
