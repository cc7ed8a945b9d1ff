import SegueBase
import SegueConformance
import SeguePlaylists

/// Subjects that break no rule, to be broken one by one.
enum Good {
    static let base = "http://h/a/"

    static let transportText = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:0
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXTINF:6.000000,
        0.ts
        #EXTINF:6.000000,
        1.ts
        #EXTINF:5.000000,
        2.ts
        #EXT-X-ENDLIST

        """

    static let fragmentText =
        transportText.replacing("#EXT-X-VERSION:3", with: "#EXT-X-VERSION:6")
        .replacing("#EXTINF:6.000000,\n0.ts", with: "#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:6.000000,\n0.ts")
        .replacing(".ts", with: ".m4s")

    /// A live playlist that lists parts of its last two segments.
    static let liveText: String = {
        let head = """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:6
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36,HOLD-BACK=18,PART-HOLD-BACK=6
            #EXT-X-PART-INF:PART-TARGET=2
            #EXT-X-MEDIA-SEQUENCE:7
            #EXT-X-DISCONTINUITY-SEQUENCE:1
            #EXT-X-MAP:URI="init.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z

            """
        let whole = (0..<150).map { "#EXTINF:6.000000,\n\($0).m4s\n" }.joined()
        let parts = (150..<152).map { number in
            (0..<3).map { "#EXT-X-PART:DURATION=2,URI=\"\(number).\($0).m4s\"\n" }.joined()
                + "#EXTINF:6.000000,\n\(number).m4s\n"
        }.joined()
        let last = "#EXT-X-PART:DURATION=2,URI=\"152.0.m4s\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"152.1.m4s\"\n"
        return head + whole + parts + last
    }()

    static let multivariantText = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,CHANNELS="2",URI="sound.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="w",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="words.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1750000,AVERAGE-BANDWIDTH=1500000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="s",SUBTITLES="w"
        film.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=830000,AVERAGE-BANDWIDTH=800000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000
        both.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=830000,AVERAGE-BANDWIDTH=800000,CODECS="mp4a.40.2"
        sound.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.64001f",RESOLUTION=640x360,URI="pictures.m3u8"

        """

    static func document(_ text: String, name: String = "index.m3u8") -> PlaylistDocument {
        PlaylistDocument(url: base + name, bytes: Array(text.utf8))
    }

    static func track(_ kind: SegmentTrack.Kind, from start: Rational, for length: Rational) -> TrackFacts {
        var track = TrackFacts(number: kind == .video ? 256 : 257, kind: kind, codec: kind == .video ? "h264" : "aac")
        track.parameters = kind == .video ? "avc1.64001f" : "mp4a.40.2"
        (track.start, track.decodeStart, track.duration) = (start, start, length)
        track.samples = 25 * Int(length.rounded(scale: 1))
        track.last = start + length - Rational(1, 25)
        return track
    }

    static func segments(_ layout: SegmentInspection.Layout, _ kinds: [SegmentTrack.Kind]) -> [SegmentFacts] {
        (0..<3).map { number in
            let suffix = layout == .transportStream ? "ts" : "m4s"
            var segment = SegmentFacts(
                number: number,
                url: base + "\(number).\(suffix)",
                size: 188 * 3000,
                layout: layout
            )
            let length = Rational(number == 2 ? 5 : 6)
            segment.tracks = kinds.map { track($0, from: Rational(Int64(10 + 6 * number)), for: length) }
            segment.startsWithIDR = kinds.contains(.video) ? true : nil
            guard layout == .transportStream else { return segment }
            var facts = TransportFacts()
            facts.beginsWithTables = true
            facts.counters = [0: .init(number, number), 256: .init(0, 15), 257: .init(0, 15)]
            facts.firstClock = Int64(number) * 540_000
            facts.lastClock = Int64(number) * 540_000 + 500_000
            segment.transport = facts
            return segment
        }
    }

    static var initialization: InitializationFacts {
        var facts = InitializationFacts(url: base + "init.mp4")
        facts.brands = ["iso6"]
        facts.hasMovieExtends = true
        facts.tracks = [track(.video, from: .zero, for: .zero), track(.audio, from: .zero, for: .zero)]
        return facts
    }

    static var transport: MediaSubject {
        MediaSubject(document: document(transportText), segments: segments(.transportStream, [.video, .audio]))
    }

    static var fragments: MediaSubject {
        MediaSubject(
            document: document(fragmentText),
            segments: segments(.fragmentedMP4, [.video, .audio]),
            initializations: [initialization]
        )
    }

    static var audio: MediaSubject {
        MediaSubject(
            document: document(transportText, name: "sound.m3u8"),
            segments: segments(.transportStream, [.audio]),
            isAudioOnly: true
        )
    }

    /// Video only: the first frame of each segment.
    static var frames: MediaSubject {
        let text = transportText.replacing("VERSION:3", with: "VERSION:4")
            .replacing("#EXT-X-PLAYLIST", with: "#EXT-X-I-FRAMES-ONLY\n#EXT-X-PLAYLIST")
        var subject = MediaSubject(
            document: document(text, name: "pictures.m3u8"),
            segments: segments(.transportStream, [.video])
        )
        for number in 0..<3 {
            subject.segments[number].tracks[0].samples = 1
            subject.segments[number].tracks[0].last = subject.segments[number].tracks[0].start
            subject.segments[number].tracks[0].duration = nil
        }
        return subject
    }

    /// Subtitles whose only cue crosses the first segment boundary.
    static var subtitles: MediaSubject {
        let text = transportText.replacing(".ts", with: ".vtt")
        let cue = SubtitleFacts.Cue(Rational(5), Rational(7), text: "Hello")
        let all = (0..<3).map { number in
            var segment = SegmentFacts(number: number, url: base + "\(number).vtt", size: 100, layout: .webVTT)
            segment.subtitles = SubtitleFacts(map: Rational(10), cues: number < 2 ? [cue] : [])
            return segment
        }
        return MediaSubject(document: document(text, name: "words.m3u8"), segments: all)
    }

    /// Sixty segments that declare 6 s.
    static func long(step: Rational) -> MediaSubject {
        let head = transportText.split(separator: "#EXTINF")[0]
        let entries = (0..<60).map { "#EXTINF:6.000000,\n\($0).ts\n" }.joined()
        let all = (0..<60).map { number in
            var segment = segments(.transportStream, [.video])[0]
            segment.number = number
            segment.tracks = [track(.video, from: Rational(10) + step * Rational(Int64(number)), for: step)]
            segment.transport = nil
            return segment
        }
        return MediaSubject(document: document(head + entries + "#EXT-X-ENDLIST\n"), segments: all)
    }

    static var multivariant: MultivariantSubject { multivariant(multivariantText) }

    static func multivariant(_ text: String) -> MultivariantSubject {
        MultivariantSubject(
            document: document(text, name: "master.m3u8"),
            media: [
                ("film.m3u8", transport), ("both.m3u8", transport), ("sound.m3u8", audio), ("words.m3u8", subtitles),
            ],
            iFrames: [("pictures.m3u8", frames)]
        )
    }

    static func resource(_ role: HTTPFacts.Role) -> HTTPFacts {
        let isPlaylist = role == .playlist
        var headers = ["content-type": isPlaylist ? "application/vnd.apple.mpegurl" : "video/mp2t", "etag": "\"a\""]
        headers["content-length"] = "564000"
        if isPlaylist {
            headers["content-encoding"] = "gzip"
            headers["vary"] = "Accept-Encoding"
        }
        let get = HTTPAnswer(status: 200, headers: headers, size: 564_000)
        var facts = HTTPFacts(role, url: base + (isPlaylist ? "index.m3u8" : "0.ts"), get: get)
        facts.head = HTTPAnswer(status: 200, headers: headers)
        facts.unchanged = HTTPAnswer(status: 304)
        guard !isPlaylist else { return facts }
        facts.range = HTTPAnswer(
            status: 206,
            headers: ["content-range": "bytes 0-0/564000", "content-length": "1"],
            size: 1
        )
        facts.range?.isTrue = true
        facts.severalRanges = HTTPAnswer(status: 206, size: 400)
        facts.severalRanges?.isTrue = true
        facts.otherRange = HTTPAnswer(status: 200, size: 564_000)
        facts.beyond = HTTPAnswer(status: 416)
        facts.missing = HTTPAnswer(status: 404)
        return facts
    }
}
