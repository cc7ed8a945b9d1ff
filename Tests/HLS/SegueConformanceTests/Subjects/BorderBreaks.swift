import SegueBase
import SegueConformance
import SeguePlaylists

extension Break {
    /// A text with a discontinuity before the last segment.
    private static let broken = Good.transportText.replacing("#EXTINF:5", with: "#EXT-X-DISCONTINUITY\n#EXTINF:5")

    /// Two multiplexed variants with a discontinuity before the last segment, the second one changed.
    private static func advertised(_ change: (inout MediaSubject) -> Void) -> MultivariantSubject {
        let text =
            Good.multivariantText.split(separator: "\n").filter { line in
                !line.hasPrefix("#EXT-X-MEDIA") && !line.hasPrefix("#EXT-X-I-FRAME")
            }.joined(separator: "\n").replacing(",AUDIO=\"s\",SUBTITLES=\"w\"", with: "")
            .replacing("=1750000,AVERAGE-BANDWIDTH=1500000", with: "=830000,AVERAGE-BANDWIDTH=800000")
            .replacing("VERSION:6", with: "VERSION:1") + "\n"
        var subject = Good.multivariant(text)
        (subject.media, subject.iFrames) = (Array(subject.media.prefix(3)), [])
        for (index, name) in ["film.m3u8", "both.m3u8", "sound.m3u8"].enumerated() {
            subject.media[index].subject.document = Good.document(broken, name: name)
        }
        change(&subject.media[1].subject)
        return subject
    }

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
        Break(rule: "same-tracks") { Validator.findings(advertised { $0.segments[2].tracks.removeLast() }) }
            .breaking("iframe-given", "video-rates"),
        Break(rule: "resolution-everywhere") {
            Validator.findings(
                advertised { media in
                    for number in 0..<3 {
                        var setup = CodingSetup()
                        setup.size = Resolution(width: number == 2 ? 320 : 640, height: number == 2 ? 180 : 360)
                        media.segments[number].tracks[0].setup = setup
                    }
                }
            )
        }.breaking("iframe-given", "video-rates"),
        Break(rule: "codecs-true") {
            Validator.findings(advertised { $0.segments[2].tracks[0].parameters = "avc1.4d401f" })
        }.breaking("iframe-given", "video-rates"),
        presentation("channels-true") { subject in
            for number in 0..<3 {
                var setup = CodingSetup()
                setup.channels = number == 2 ? 6 : 2
                subject.media[2].subject.segments[number].tracks[0].setup = setup
            }
        },
        presentation("codecs-complete") { subject in
            subject.media[2].subject.segments[2].tracks[0].parameters = "ac-3"
            subject.media[2].subject.segments[2].tracks[0].codec = "ac3"
        }.breaking("discontinuity-needed", "codecs-true"),
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
            for number in 0..<3 { subject.add(text: TimedTextFacts(begin: Rational(1), end: Rational(4)), number) }
        },
        fragments("ttml-time") { subject in
            for number in 0..<3 { subject.add(text: TimedTextFacts(begin: Rational(101), end: Rational(103)), number) }
        },
        presentation("webvtt-origin") { subject in
            for number in 0..<3 {
                let cue = "00:00:0\(number == 0 ? 1 : 7).000 --> 00:00:0\(number == 0 ? 2 : 8).000\nHello\n"
                // The media starts at 10 s, the map at 11.4 s.
                let head = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1026000\n\n"
                let text = number == 2 ? head : head + cue
                subject.media[3].subject.segments[number].subtitles = SubtitleFacts(Array(text.utf8))
            }
        },
        fragments("ttml-clock") { subject in
            var text = TimedTextFacts(begin: Rational(11), end: Rational(13))
            text.otherTimeBase = "smpte"
            subject.add(text: text, 0)
        },
        fragments("ttml-clock") { subject in
            var text = TimedTextFacts(begin: Rational(11), end: Rational(13))
            text.unratedTime = "00:00:11:12"
            subject.add(text: text, 0)
        },
        transport("ts-map-across") { subject in
            for number in 0..<3 {
                // The last byte stands for the streams, and the bits 1 to 5 of byte 5 for the version.
                let map: [UInt8] = [2, 0xB0, 18, 0, 1, 0xC1, UInt8(min(number, 1))]
                subject.segments[number].transport?.maps = [4096: TransportFacts.Map(map, map)]
            }
        },
        transport("discontinuity-needed") { subject in
            subject.segments[2].tracks[1].number = 300
            let counters = subject.segments[2].transport?.counters.removeValue(forKey: 257)
            subject.segments[2].transport?.counters[300] = counters
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

extension MediaSubject {
    /// Adds a document of a text track to a segment of ``Good``.
    fileprivate mutating func add(text: TimedTextFacts, _ number: Int) {
        var track = TrackFacts(number: 3, kind: .text, codec: "ttml")
        (track.start, track.duration) = (Rational(Int64(10 + 6 * number)), Rational(6))
        segments[number].tracks.append(track)
        segments[number].timedText = text
    }
}
