import SegueBase
import SeguePlaylists
import Testing

@testable import SegueConformance

@Suite struct `Positions of compared pictures` {
    /// A finished playlist of segments of a duration in seconds.
    private static func playlist(
        _ seconds: Int,
        count: Int,
        isIFramesOnly: Bool = false,
        discontinuityAt border: Int? = nil
    ) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:\(seconds)\n"
        if isIFramesOnly { text += "#EXT-X-I-FRAMES-ONLY\n" }
        for number in 0..<count {
            if number == border { text += "#EXT-X-DISCONTINUITY\n" }
            text += "#EXTINF:\(seconds),\n\(number).ts\n"
        }
        return try #require(PlaylistDocument(url: "http://h/a", bytes: Array((text + "#EXT-X-ENDLIST\n").utf8)).media)
    }

    @Test func `positions are starts of segments, spread over the playlist`() throws {
        let film = try Self.playlist(6, count: 24)
        let parts = PictureSpots(of: film).parts(of: film)
        // The middle of each sixth, and the middle of the only discontinuity.
        #expect(parts.keys.sorted() == [2, 6, 10, 12, 14, 18, 22])
        #expect(parts.values.allSatisfy { $0 == .zero...Rational(2) })
    }

    @Test func `segments of another duration are compared at the same times`() throws {
        let spots = PictureSpots(of: try Self.playlist(6, count: 4))
        let parts = spots.parts(of: try Self.playlist(4, count: 6))
        // 6 s lies in the middle of the second segment.
        let begin = Rational(2) - Rational(1, 10)
        #expect(parts[1] == begin...Rational(4))
        #expect(parts[3] == .zero...Rational(2))
    }

    @Test func `each discontinuity has a position`() throws {
        let film = try Self.playlist(6, count: 100, discontinuityAt: 98)
        #expect(PictureSpots(of: film).parts(of: film).keys.contains(99))
    }

    @Test func `the first I-frame after a position is compared`() throws {
        let spots = PictureSpots(of: try Self.playlist(6, count: 4))
        let frames = try Self.playlist(1, count: 24, isIFramesOnly: true)
        #expect(spots.parts(of: frames).keys.sorted() == [0, 6, 12, 18])
    }

    @Test func `live and empty playlists have no positions`() throws {
        var live = try Self.playlist(6, count: 4)
        let film = live
        live.hasEndList = false
        #expect(PictureSpots(of: live).parts(of: film).isEmpty)
        #expect(PictureSpots(of: film).parts(of: live).isEmpty)
        var empty = film
        empty.segments = []
        #expect(PictureSpots(of: empty).parts(of: film).isEmpty)
        #expect(PictureSpots(of: film).parts(of: empty).isEmpty)
    }
}
