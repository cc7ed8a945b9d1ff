import SegueBase
import SegueConformance
import SeguePlaylists

/// Violations of the rules on content steering, and on group members compared with their media.
extension Break {
    private static let tag = "#EXT-X-CONTENT-STEERING:SERVER-URI=\"steer.json\",PATHWAY-ID=\".\"\n"

    /// A manifest of a good playlist, its JSON without the outer braces.
    private static func steered(_ rule: String, _ json: String, clones: [SteeringFacts.Clone] = []) -> Break {
        steered(rule, SteeringFacts(url: Good.base + "steer.json", bytes: Array("{\(json)}".utf8)), clones)
    }

    private static func steered(_ rule: String, _ facts: SteeringFacts, _ clones: [SteeringFacts.Clone] = []) -> Break {
        presentation(rule) { subject in
            subject.document = Good.document(
                Good.multivariantText.replacing("#EXT-X-VERSION:6\n", with: "#EXT-X-VERSION:6\n" + tag),
                name: "master.m3u8"
            )
            subject.steering = facts
            subject.steering?.clones = clones
        }
    }

    private static let head = "\"VERSION\": 1, \"TTL\": 300, \"PATHWAY-PRIORITY\": "
    private static let good = head + "[\"b\", \".\"], \"PATHWAY-CLONES\": "

    private static func clone(
        _ id: String,
        of base: String,
        _ rest: String = ", \"URI-REPLACEMENT\": {\"HOST\": \"h2\"}"
    )
        -> String
    {
        "{\"ID\": \"\(id)\", \"BASE-ID\": \"\(base)\"\(rest)}"
    }

    static let steering: [Break] = [
        .steered("steering-manifest", "\"VERSION\": 2, \"TTL\": 300, \"PATHWAY-PRIORITY\": [\".\"]"),
        .steered("steering-manifest", "\"TTL\": 300, \"PATHWAY-PRIORITY\": [\".\"]"),
        .steered("steering-manifest", "\"VERSION\": 1, \"PATHWAY-PRIORITY\": [\".\"]"),
        .steered("steering-manifest", "\"VERSION\": 1, \"TTL\": 300"),
        .steered("steering-manifest", head + "[]"),
        .steered("steering-manifest", head + "[\".\", \".\"]"),
        .steered("steering-manifest", head + "[\".\", \"a b\"]"),
        .steered("steering-manifest", head + "[\"CDN-Z\"]"),
        .steered("steering-manifest", "\"VERSION\""),
        .steered(
            "steering-manifest",
            SteeringFacts(url: Good.base + "steer.json", bytes: [], failure: "answered with 404")
        ),
        .steered("steering-clone", good + "[\(clone("b", of: "a"))]"),
        .steered("steering-clone", good + "[\(clone(".", of: "."))]"),
        .steered("steering-clone", good + "[\(clone("b", of: ".", ""))]"),
        .steered(
            "steering-clone",
            good + "[\(clone("b", of: "."))]",
            clones: [SteeringFacts.Clone(id: "b", url: "http://h2/a/film.m3u8", failure: "it cannot be reached")]
        ),
    ]

    private static let audio = "NAME=\"Deutsch\",LANGUAGE=\"de\",AUTOSELECT=YES,CHANNELS=\"2\",URI=\"sound.m3u8\""

    static let groupMedia: [Break] = [
        .master("stable-id-same") { text in
            let other = audio.replacing("Deutsch", with: "Polski").replacing("\"de\"", with: "\"pl\"")
                .replacing("sound.m3u8", with: "other.m3u8")
            let line = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"s\",STABLE-RENDITION-ID=\"a\","
            return text.replacing(
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"s\"," + audio,
                with: "\(line)\(audio)\n\(line)\(other)"
            )
        },
        .presentation("member-inside") { subject in
            for number in 0..<3 { subject.media[0].subject.segments[number].tracks.remove(at: 1) }
        },
        replicated("codecs-true", "mp4a.40.29", rate: 24_000, channels: 2).breaking("codecs-complete"),
        replicated("codecs-true", "mp4a.40.5", rate: 48_000, channels: 2).breaking("codecs-complete"),
        .media("webvtt-cues", { Good.subtitles }) { subject in
            let text = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n00:01.000 --> 00:04.000\nHello\n"
            subject.segments[0].subtitles = SubtitleFacts(Array(text.utf8))
        },
        Break(rule: "channels-joc") {
            let text = Good.multivariantText.replacing("CHANNELS=\"2\"", with: "CHANNELS=\"16/JOC\"")
            return Validator.findings(audible(text, rate: 24_000, channels: 2))
        },
    ]

    /// A good playlist whose AAC is declared as another kind of AAC.
    private static func replicated(_ rule: String, _ codec: String, rate: Int, channels: Int) -> Break {
        Break(rule: rule) {
            let text = Good.multivariantText.replacing("mp4a.40.2", with: codec)
                .replacing("CHANNELS=\"2\"", with: "CHANNELS=\"\(channels == 1 ? 2 : channels)\"")
            return Validator.findings(audible(text, rate: rate, channels: channels))
        }
    }

    private static func audible(_ text: String, rate: Int, channels: Int) -> MultivariantSubject {
        var subject = Good.multivariant(text)
        for index in 0...2 {
            for number in subject.media[index].subject.segments.indices {
                let tracks = subject.media[index].subject.segments[number].tracks
                guard let place = tracks.firstIndex(where: { $0.kind == .audio }) else { continue }
                var setup = CodingSetup()
                (setup.codec, setup.sampleRate, setup.channels) = ("mp4a.40.2", rate, channels)
                subject.media[index].subject.segments[number].tracks[place].setup = setup
            }
        }
        return subject
    }

    static let keptMedia: [Break] = [
        .steered("steering-manifest", head + "[\".\", \"CDN-Z\"]"),
        .steered(
            "steering-clone",
            good + "[\(clone("b", of: ".")), \(clone("c", of: "b"))]",
            clones: [SteeringFacts.Clone(id: "b", url: "http://h2/a/film.m3u8", failure: nil)]
        ),
        replicated("codecs-true", "mp4a.40.5", rate: 24_000, channels: 2),
        // Frames are decoded evenly, and the last one is presented late.
        .presentation("frame-rate-true") { subject in
            let last = subject.media[1].subject.segments[2].tracks[0].last ?? .zero
            subject.media[1].subject.segments[2].tracks[0].last = last + Rational(4, 25)
        },
        // Uneven frame durations limit the accuracy of the frame rate.
        .presentation("frame-rate-true") { subject in
            var track = subject.media[1].subject.segments[0].tracks[0]
            (track.leastStep, track.greatestStep) = (Rational(1, 26), Rational(1, 24))
            track.last = track.last.map { $0 + Rational(1, 200) }
            subject.media[1].subject.segments[0].tracks[0] = track
        },
        replicated("codecs-true", "mp4a.40.29", rate: 22_050, channels: 1).breaking("channels-true"),
        .master("stable-id-same") { text in
            // Groups of two pathways have the same renditions at other URIs.
            text.replacing("CHANNELS=\"2\",URI", with: "CHANNELS=\"2\",STABLE-RENDITION-ID=\"a\",URI") + """
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="t",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="t",\(audio.replacing("URI=\"", with: "STABLE-RENDITION-ID=\"a\",URI=\"http://h2/"))

                """
        },
    ]
}
