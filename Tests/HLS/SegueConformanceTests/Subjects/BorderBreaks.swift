import SegueBase
import SegueConformance
import SeguePlaylists

extension Break {
    /// A text with a discontinuity before the last segment.
    private static let broken = Good.transportText.replacing("#EXTINF:5", with: "#EXT-X-DISCONTINUITY\n#EXTINF:5")

    /// Faults at discontinuities and at the ends of renditions.
    static let borders: [Break] = [
        media("discontinuity-needless", { Good.long(step: Rational(6)) }) { subject in
            let text = String(decoding: subject.document.bytes, as: UTF8.self)
            let all = text.replacing("#EXTINF", with: "#EXT-X-DISCONTINUITY\n#EXTINF")
            subject.document = Good.document(all)
        },
        transport("sound-at-discontinuity") { subject in
            subject.document = Good.document(broken)
            subject.segments[2].tracks[1] = Good.track(.audio, from: Rational(45, 2), for: Rational(9, 2))
            subject.segments[2].tracks[1].last = Rational(27) - Rational(1, 25)
        },
        presentation("sound-beside-discontinuity") { subject in
            for (index, name) in ["film.m3u8", "both.m3u8", "sound.m3u8"].enumerated() {
                subject.media[index].subject.document = Good.document(broken, name: name)
            }
            let words = broken.replacing(".ts", with: ".vtt")
            subject.media[3].subject.document = Good.document(words, name: "words.m3u8")
            subject.iFrames[0].subject.document = Good.document(
                broken.replacing("VERSION:3", with: "VERSION:4")
                    .replacing("#EXT-X-PLAYLIST", with: "#EXT-X-I-FRAMES-ONLY\n#EXT-X-PLAYLIST"),
                name: "pictures.m3u8"
            )
            subject.media[2].subject.segments[1].tracks[0] = Good.track(
                .audio,
                from: Rational(16),
                for: Rational(11, 2)
            )
            subject.media[2].subject.segments[1].tracks[0].last = Rational(43, 2) - Rational(1, 25)
        },
        presentation("same-range") { subject in
            let text = String(decoding: subject.iFrames[0].subject.document.bytes, as: UTF8.self)
            let half = text.replacing("#EXTINF:6.000000,\n1.ts\n#EXTINF:5.000000,\n2.ts\n", with: "")
            subject.iFrames[0].subject.document = Good.document(half, name: "pictures.m3u8")
            subject.iFrames[0].subject.segments.removeLast(2)
        }.breaking("iframe-bandwidth"),
        presentation("same-length") { subject in
            let text = Good.transportText.replacing("#EXTINF:5.000000", with: "#EXTINF:3.000000")
            subject.media[2].subject.document = Good.document(text, name: "sound.m3u8")
            subject.media[2].subject.segments[2].tracks[0] = Good.track(.audio, from: Rational(22), for: Rational(3))
        }.breaking("bandwidth-largest", "average-largest", "bandwidth-true", "average-true"),
    ]

    private static let captioned = Good.multivariantText.replacing(
        "#EXT-X-MEDIA:TYPE=SUBTITLES",
        with: "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"English\",LANGUAGE=\"en\",INSTREAM-ID=\"CC1\"\n"
            + "#EXT-X-MEDIA:TYPE=SUBTITLES"
    )

    /// Faults in captions, subtitles, and clocks.
    static let pictures: [Break] = [
        Break(rule: "captions-denied") {
            let text = Good.multivariantText.replacing(
                "STREAM-INF:BANDWIDTH=1",
                with: "STREAM-INF:CLOSED-CAPTIONS=NONE,BANDWIDTH=1"
            )
            .replacing("STREAM-INF:BANDWIDTH=83", with: "STREAM-INF:CLOSED-CAPTIONS=NONE,BANDWIDTH=83")
            var subject = Good.multivariant(text)
            subject.media[1].subject.segments[1].captions = ["CC1"]
            return Validator.findings(subject)
        },
        Break(rule: "captions-absent") {
            var subject = Good.multivariant(
                captioned.replacing("FRAME-RATE=25.000", with: "FRAME-RATE=25.000,CLOSED-CAPTIONS=\"c\"")
            )
            subject.media[1].subject.segments[1].captions = ["CC1"]
            return Validator.findings(subject)
        },
        presentation("webvtt-clock") { subject in
            for number in 0..<3 { subject.media[3].subject.segments[number].subtitles?.exceedsClock = true }
        },
        media("webvtt-map", { Good.subtitles }) { subject in
            let text = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:-5\n\n"
            subject.segments[2].subtitles = SubtitleFacts(Array(text.utf8))
        },
        fragments("ttml-time") { subject in
            for number in 0..<3 {
                var track = TrackFacts(number: 3, kind: .text, codec: "ttml")
                (track.start, track.duration) = (Rational(Int64(10 + 6 * number)), Rational(6))
                subject.segments[number].tracks.append(track)
                subject.segments[number].timedText = TimedTextFacts(begin: Rational(1), end: Rational(4))
            }
        },
        media("audio-timescale", { Good.fragments }) { subject in
            let sound = InitializationFacts.inspecting(MadeMovie.sound(scale: 90_000), url: Good.base + "init.mp4")
            subject.initializations = [sound]
            for number in 0..<3 {
                subject.segments[number].tracks.removeFirst()
                subject.segments[number].tracks[0].number = 1
                subject.segments[number].startsWithIDR = nil
            }
        },
    ]
}
