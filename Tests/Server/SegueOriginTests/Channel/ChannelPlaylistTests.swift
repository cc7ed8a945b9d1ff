import SegueBase
import SegueOrigin
import SeguePlaylists
import Testing

@Suite struct ChannelPlaylistTests {
    private let programme = channel([[12, 12], [12, 5]])

    private var begin: ChannelTime {
        let schedule = programme.eras[0].schedule
        return ChannelTime(microseconds: 1_700_000_000_000_000 / schedule.round * schedule.round)
    }

    private func playlist(_ microseconds: Int64, _ skip: DeliveryDirectives.Skip? = nil) -> MediaPlaylist {
        let rendition = ChannelPlaylist.Rendition(
            uri: { entry, part in "\(entry.place.sequence)\(part.map { ".\($0)" } ?? "").m4s" },
            map: { entry in "\(entry.place.title).mp4" },
            isGap: { entry in entry.place.title == 1 && entry.place.number == 1 },
            hasVideo: { _ in true },
            isIndependent: true,
            others: ["other.m3u8"]
        )
        return ChannelPlaylist(ChannelWindow(programme, at: begin + microseconds), of: rendition)
            .playlist(skipping: skip)
    }

    @Test func `a playlist is deterministic and survives parsing`() throws {
        let playlist = self.playlist(1_700_000)
        #expect(playlist.text == self.playlist(1_700_000).text)
        guard case .media(let read) = try Playlist.parse(playlist.text) else {
            Issue.record("no media playlist")
            return
        }
        #expect(read.text == playlist.text)
        #expect(read.mediaSequence == playlist.mediaSequence && read.partTarget == Rational(1, 2))
        #expect(playlist.openParts.map(\.uri).count == 3)
        #expect(playlist.openParts.map(\.isIndependent) == [true, false, false])
        #expect(!playlist.hasEndList && playlist.kind == nil)
        let control = try #require(playlist.serverControl)
        #expect(control.canBlockReload && control.partHoldBack == Rational(3, 2))
        #expect(control.holdBack == Rational(18) && control.canSkipUntil == Rational(36))
    }

    @Test func `each title has an init segment after a discontinuity, and is hinted in advance`() {
        let playlist = self.playlist(0)
        for (one, next) in zip(playlist.segments, playlist.segments.dropFirst()) {
            #expect(next.startsDiscontinuity == (one.map != next.map))
        }
        #expect(playlist.preloadHints.map(\.kind) == [.map, .part])
        #expect(self.playlist(600_000).preloadHints.map(\.kind) == [.part])
        #expect(self.playlist(600_000).preloadHints[0].uri == "\(playlist.nextSequence).1.m4s")
    }

    @Test func `a reload adds the hinted part, and keeps listed segments`() throws {
        var former: MediaPlaylist?
        for step in 0..<200 {
            let playlist = self.playlist(Int64(step) * 100_000)
            defer { former = playlist }
            guard let former else { continue }
            let gone = playlist.mediaSequence - former.mediaSequence
            for (old, new) in zip(former.segments.dropFirst(gone), playlist.segments) {
                var (old, new) = (old, new)
                #expect(new.parts.isEmpty || new.parts == old.parts)
                (old.parts, new.parts) = ([], [])
                #expect(old == new)
            }
            let discontinuities = former.segments.prefix(gone).count(where: \.startsDiscontinuity)
            #expect(playlist.discontinuitySequence == former.discontinuitySequence + discontinuities)
            let all = playlist.segments.flatMap(\.parts) + playlist.openParts
            let known = Set((former.segments.flatMap(\.parts) + former.openParts).map(\.uri))
            let new = all.filter { !known.contains($0.uri) }
            #expect(new.count <= 1)
            if let new = new.first, !new.isGap {
                #expect(former.preloadHints.contains { $0.kind == .part && $0.uri == new.uri })
            }
        }
    }

    @Test func `parts are listed within three target durations of the end`() {
        for step in 0..<200 {
            let playlist = self.playlist(Int64(step) * 100_000)
            var behind = playlist.openParts.reduce(Rational.zero) { $0 + $1.duration }
            for segment in playlist.segments.reversed() {
                let isFar = behind > Rational(Int64(3 * playlist.targetDuration))
                #expect(segment.parts.isEmpty == isFar, "\(segment.uri), which ends \(behind) s before the end")
                behind += segment.duration
            }
        }
    }

    @Test(arguments: [DeliveryDirectives.Skip.segments, .segmentsAndDateRanges])
    func `a delta update restores the complete playlist`(skip: DeliveryDirectives.Skip) throws {
        let (former, whole) = (playlist(1_000_000), playlist(9_000_000))
        let delta = playlist(9_000_000, skip)
        let skipped = try #require(delta.skip)
        #expect(skipped.segments > 0)
        #expect((skipped.recentlyRemovedDateRanges != nil) == (skip == .segmentsAndDateRanges))
        #expect(delta.text.utf8.count < whole.text.utf8.count)
        guard case .media(let read) = try Playlist.parse(delta.text) else {
            Issue.record("no media playlist")
            return
        }
        #expect(try read.applied(to: former).text == whole.text)
    }

    @Test func `missing content is a gap with the same numbers, without hints`() {
        let playlist = self.playlist(13_000_000)
        #expect(!playlist.segments.filter(\.isGap).isEmpty)
        for segment in playlist.segments where segment.isGap { #expect(segment.parts.filter { !$0.isGap }.isEmpty) }
        // 17.7 s to 20.1 s is the gap.
        #expect(self.playlist(18_500_000).preloadHints.isEmpty)
        #expect(self.playlist(18_500_000).openParts.map(\.isGap) == [true])
    }

    @Test func `other renditions are reported at the same position`() {
        let playlist = self.playlist(1_700_000)
        #expect(playlist.renditionReports.map(\.uri) == ["other.m3u8"])
        #expect(playlist.renditionReports[0].lastMSN == playlist.nextSequence)
        #expect(playlist.renditionReports[0].lastPart == 2)
    }
}
