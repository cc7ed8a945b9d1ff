import SegueBase
import SegueConformance
import SeguePlaylists

extension Break {
    /// A fault in the bytes of a segment.
    private static func fault(_ rule: String, _ kind: MediaFault.Kind, of good: @escaping @Sendable () -> MediaSubject)
        -> Break
    {
        media(rule, good) { $0.segments[1].faults = [MediaFault(kind, "it is wrong")] }
    }

    private static func inTransport(_ rule: String, _ kind: MediaFault.Kind) -> Break {
        fault(rule, kind) { Good.transport }
    }

    private static func inFragment(_ rule: String, _ kind: MediaFault.Kind) -> Break {
        fault(rule, kind) { Good.fragments }
    }

    private static func inInitialization(_ rule: String, _ kind: MediaFault.Kind) -> Break {
        fragments(rule) { $0.initializations[0].faults = [MediaFault(kind, "it is wrong")] }
    }

    /// Films of two variants whose parts between discontinuities have these time scales.
    static func scales(_ rule: String, _ scales: [UInt8]...) -> Break {
        presentation(rule) { subject in
            for (index, scales) in scales.enumerated() {
                var text = Good.transportText.replacing("VERSION:3", with: "VERSION:6")
                for (number, scale) in scales.enumerated() {
                    let start = number == 0 ? "#EXTINF:6.000000,\n0.ts" : "#EXTINF:5.000000,"
                    let tag = number == 0 ? "" : "#EXT-X-DISCONTINUITY\n"
                    text = text.replacing(start, with: "\(tag)#EXT-X-MAP:URI=\"\(scale).mp4\"\n" + start)
                }
                let name = index == 0 ? "film.m3u8" : "small.m3u8"
                subject.media[index].subject.document = Good.document(text, name: name)
                subject.media[index].subject.initializations = scales.map { scale in
                    .inspecting(MadeMovie.initialization(scale: scale), url: Good.base + "\(scale).mp4")
                }
            }
        }
        // The others have no initialization section, and no discontinuity.
        .breaking("init-tracks", "same-discontinuities")
    }

    static let faults: [Break] = [
        inTransport("ts-checksum", .checksum), inTransport("ts-one-program", .programs),
        inTransport("ts-packet-ids", .packetIDs), inTransport("ts-clock-interval", .clockInterval),
        inTransport("ts-clock-interval-sound", .soundClockInterval),
        inTransport("ts-clock-ahead", .lateness), inTransport("ts-shown-after-decoded", .order),
        inTransport("ts-damaged", .damage), inTransport("ts-scrambled", .scrambling),
        inTransport("ts-stream-type", .streamType), inTransport("ts-packet-length", .packetLength),
        inTransport("sound-pace", .soundPace), inFragment("tfdt-there", .fragmentTime),
        inFragment("moof-addressing", .addressing), inFragment("sample-data", .sampleData),
        inFragment("sample-units", .sampleUnits),
        inFragment("sample-offsets", .offsets), inFragment("sample-vectors", .decryption),
        inFragment("sidx-size", .index), inFragment("track-known", .unknownTrack),
        inFragment("parameters-agree", .otherParameters), inFragment("parameters-there", .missingParameters),
        inTransport("ts-delimiters", .delimiters), inTransport("ts-map-version", .mapVersion),
        inTransport("ts-data-aligned", .alignment), inFragment("parameters-placed", .misplacedParameters),
        inTransport("parameters-change", .changingParameters), inFragment("sync-flags", .falseSync),
        inFragment("sync-marked", .unmarkedSync), inFragment("sample-times", .sampleTimes),
        inFragment("progressive", .fields), inInitialization("init-ftyp", .boxOrder),
        inInitialization("init-mvex-last", .extendsOrder), inInitialization("init-duration", .movieDuration),
        inInitialization("init-external", .externalData), inInitialization("init-edits", .edits),
        inInitialization("entry-size", .entrySize), inInitialization("entry-colour", .entryColour),
        fragments("moof-mdat") { subject in
            subject.initializations[0].brands = ["iso6", "cmfc"]
            subject.segments[1].faults = [MediaFault(.mediaData, "it is wrong")]
        },
    ]

    static let contents: [Break] = [
        transport("segment-repeated") { subject in
            (subject.segments[0].digest, subject.segments[1].digest) = (7, 7)
        },
        transport("keyframe-interval") { $0.segments[0].tracks[0].keyframes = [10, 12, 15].map { Rational($0) } },
        transport("keyframe-there") { subject in
            subject.segments[0].tracks[0].keyframes = []
            subject.segments[0].startsWithIDR = nil
            subject.segments[0].tracks[0].start = nil
        },
        transport("segment-media") { subject in
            for track in 0..<2 { subject.segments[2].tracks[track].samples = 0 }
        },
        fragments("moof-sequence") { subject in
            (subject.segments[0].sequence, subject.segments[1].sequence) = (1...3, 3...4)
        },
        fragments("entry-parameters") { $0.initializations[0].tracks[0].parameters = "hev1.1.6.L93.B0" },
        transport("sound-with-picture") { $0.segments[2].tracks[1].last = Rational(24) },
        media("duration-drift", { Good.long(step: Rational(59_991, 10_000)) }) { subject in
            // A live playlist is not measured as a whole.
            let text = String(decoding: subject.document.bytes, as: UTF8.self)
            subject.document = Good.document(
                text.replacing("#EXT-X-ENDLIST\n", with: "").replacing("TYPE:VOD", with: "TYPE:EVENT")
            )
        },
        transport("date-time-runs") { subject in
            // A second too late at each of them.
            var second = -7
            let text = Good.transportText.split(separator: "\n").map { line in
                guard line.hasPrefix("#EXTINF") else { return String(line) }
                second += 7
                let date = second < 10 ? "0\(second)" : "\(second)"
                return "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:\(date).000Z\n\(line)"
            }
            subject.document = Good.document(text.joined(separator: "\n") + "\n")
        },
    ]

    private static func sealed(_ rule: String, _ change: @escaping @Sendable (inout SealedFacts) -> Void) -> Break {
        transport(rule) { subject in
            var facts = SealedFacts(number: 1, url: "http://h/a/1.ts", size: 64)
            facts.keyLength = 16
            change(&facts)
            subject.sealed = [facts]
        }
    }

    private static let keyed = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:5"

    static let encryption: [Break] = [
        sealed("key-length") { $0.keyLength = 24 },
        sealed("cipher-blocks") { $0.size = 63 },
        sealed("cipher-padding") { $0.failure = "no" },
        sealed("cipher-used") { $0.isClear = true },
        transport("sample-encryption") {
            let text = Good.transportText.replacing("VERSION:3", with: "VERSION:5")
            $0.document = Good.document(text.replacing("#EXTINF:5", with: keyed))
        },
        transport("key-given") { $0.segments[2].tracks[0].isEncrypted = true },
    ]

    private static func setup(_ rule: String, _ text: String, _ kind: SegmentTrack.Kind, _ setup: CodingSetup) -> Break
    {
        Break(rule: rule) {
            var subject = Good.multivariant(text)
            for index in [0, 1, 2] {
                for number in subject.media[index].subject.segments.indices {
                    for track in subject.media[index].subject.segments[number].tracks.indices
                    where subject.media[index].subject.segments[number].tracks[track].kind == kind {
                        subject.media[index].subject.segments[number].tracks[track].setup = setup
                    }
                }
            }
            return Validator.findings(subject)
        }
    }

    private static func made(_ change: (inout CodingSetup) -> Void) -> CodingSetup {
        var setup = CodingSetup()
        change(&setup)
        return setup
    }

    private static let text = Good.multivariantText

    static let streams: [Break] = [
        variants(
            "codecs-present",
            "avc1.64001f,mp4a.40.2\",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO",
            "avc1.64001f,mp4a.40.2,Opus\",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO"
        ).breaking("sound-codec"),
        Break(rule: "sbr-explicit") {
            var subject = Good.multivariant(text.replacing("mp4a.40.2", with: "mp4a.40.5"))
            for number in 0..<3 {
                subject.media[2].subject.document = Good.document(Good.fragmentText, name: "sound.m3u8")
                subject.media[2].subject.segments[number].layout = .fragmentedMP4
                subject.media[2].subject.segments[number].transport = nil
                subject.media[2].subject.segments[number].tracks[0].setup = made { $0.codec = "mp4a.40.2" }
            }
            return Validator.findings(subject)
        }.breaking("sound-codec"),
        presentation("codecs-imsc") { subject in
            for number in 0..<3 {
                subject.media[3].subject.segments[number] = SegmentFacts(number: number, url: "", size: 9)
                subject.media[3].subject.segments[number].tracks = [TrackFacts(number: 1, kind: .text, codec: "ttml")]
            }
        },
        setup("resolution-true", text, .video, made { $0.size = Resolution(width: 640, height: 352) }),
        presentation("frame-rate-true") { subject in
            for number in 0..<3 {
                subject.media[1].subject.segments[number].tracks[0].leastStep = Rational(1, 24)
                subject.media[1].subject.segments[number].tracks[0].greatestStep = Rational(1, 24)
                let start = subject.media[1].subject.segments[number].tracks[0].start ?? .zero
                let length = Int64(number == 2 ? 5 : 6)
                subject.media[1].subject.segments[number].tracks[0].samples = Int(24 * length)
                subject.media[1].subject.segments[number].tracks[0].last = start + Rational(24 * length - 1, 24)
            }
        },
        setup(
            "video-range-true",
            text.replacing(",RESOLUTION=640x360,FRAME", with: ",VIDEO-RANGE=PQ,RESOLUTION=640x360,FRAME"),
            .video,
            made { $0.transfer = 1 }
        ).breaking("sdr-given"),
        setup("channels-true", text, .audio, made { $0.channels = 6 }),
        setup("channels-joc", text, .audio, made { ($0.codec, $0.frameLength, $0.hasObjects) = ("ec-3", 1536, true) }),
        presentation("iframe-codecs-true") { $0.iFrames[0].subject.segments[1].tracks[0].parameters = "avc1.640020" },
        presentation("iframe-resolution-true") { subject in
            for number in 0..<3 {
                subject.iFrames[0].subject.segments[number].tracks[0].setup = made {
                    $0.size = Resolution(width: 320, height: 180)
                }
            }
        },
        presentation("same-line") { subject in
            // The previous segment was not inspected, so that its length is unknown.
            subject.media[2].subject.segments[2].tracks[0].start = Rational(223, 10)
            subject.media[2].subject.segments[2].tracks[0].last = Rational(273, 10) - Rational(1, 25)
            subject.media[2].subject.segments.remove(at: 1)
        },
        presentation("date-time-agrees") { subject in
            let date = { (second: Int) in
                "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:0\(second).000Z\n#EXTINF:5"
            }
            for index in [0, 2] {
                let text = Good.transportText.replacing("#EXTINF:5", with: date(index))
                subject.media[index].subject.document = Good.document(
                    text,
                    name: index == 0 ? "film.m3u8" : "sound.m3u8"
                )
            }
        }.breaking("same-dates"),
        presentation("webvtt-time") { subject in
            for number in 0..<3 { subject.media[3].subject.segments[number].subtitles?.map = Rational(100) }
        },
        scales("same-timescale", [50], [25]), scales("same-timescale", [50, 25], [50, 50]),
    ]
}
