import SegueBase
import Testing

@testable import SeguePlaylists

@Suite struct `Tags of multivariant playlists` {
    private func read(_ text: String, from url: String? = nil) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try Playlist.parse("#EXTM3U\n" + text, from: url) else {
            throw PlaylistError(.mixed, line: nil, "not a multivariant playlist")
        }
        return playlist
    }

    private static let last = "\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n"

    @Test func `everything is read, and reads back the same when it is written`() throws {
        let playlist = try read(
            """
            #EXT-X-CONTENT-STEERING:SERVER-URI="/steering?video=00012",PATHWAY-ID="CDN-A"
            #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="",LANGUAGE="en"
            #EXT-X-SESSION-DATA:DATA-ID="com.example.lyrics",URI="lyrics.json"
            #EXT-X-SESSION-DATA:DATA-ID="com.example.raw",URI="raw.bin",FORMAT=RAW
            #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1/2"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",LANGUAGE="de",ASSOC-LANGUAGE="de-CH",STABLE-RENDITION-ID="r/1",BIT-DEPTH=24,SAMPLE-RATE=48000,CHANNELS="12/JOC/IMMERSIVE",INSTREAM-ID="x.1",CHARACTERISTICS="public.easy-to-read,org.x"
            #EXT-X-STREAM-INF:BANDWIDTH=1,SCORE=2.75,SUPPLEMENTAL-CODECS="dvh1.08.07/db4h,av01.x",ALLOWED-CPC="com.example.drm1:SMART-TV/PC,urn:uuid:1:HW,none:",REQ-VIDEO-LAYOUT="CH-STEREO/PROJ-HEQU,CH-MONO",STABLE-VARIANT-ID="v+1",PATHWAY-ID="CDN-A",AUDIO="a"
            a.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8",SCORE=1,PATHWAY-ID="CDN-B"
            """
        )
        var variant = Variant(uri: "a.m3u8", bandwidth: 1)
        variant.audioGroup = "a"
        variant.supplementalCodecs = ["dvh1.08.07/db4h", "av01.x"]
        variant.score = Rational(11, 4)
        variant.allowedProtection = [
            ContentProtection(keyFormat: "com.example.drm1", labels: ["SMART-TV", "PC"]),
            ContentProtection(keyFormat: "urn:uuid:1", labels: ["HW"]),
            ContentProtection(keyFormat: "none", labels: []),
        ]
        variant.videoLayouts = ["CH-STEREO/PROJ-HEQU", "CH-MONO"]
        variant.stableID = "v+1"
        variant.pathwayID = "CDN-A"
        var iFrames = Variant(uri: "i.m3u8", bandwidth: 1)
        iFrames.score = Rational(1)
        iFrames.pathwayID = "CDN-B"
        var rendition = MediaRendition(kind: .audio, group: "a", name: "n", language: "de")
        rendition.channels = "12/JOC/IMMERSIVE"
        rendition.instreamID = "x.1"
        rendition.characteristics = ["public.easy-to-read", "org.x"]
        rendition.associatedLanguage = "de-CH"
        rendition.stableID = "r/1"
        rendition.bitDepth = 24
        rendition.sampleRate = 48000
        var expected = MultivariantPlaylist(variants: [variant], iFrameVariants: [iFrames], renditions: [rendition])
        expected.sessionData = [
            SessionData(dataID: "com.example.title", content: .value(""), language: "en"),
            SessionData(dataID: "com.example.lyrics", content: .resource(uri: "lyrics.json", format: .json)),
            SessionData(dataID: "com.example.raw", content: .resource(uri: "raw.bin", format: .raw)),
        ]
        expected.sessionKeys = [
            MediaKey(
                method: "SAMPLE-AES",
                uri: "skd://k",
                keyFormat: "com.apple.streamingkeydelivery",
                keyFormatVersions: "1/2"
            )
        ]
        expected.contentSteering = ContentSteering(serverURI: "/steering?video=00012", pathwayID: "CDN-A")
        #expect(playlist == expected)
        #expect(playlist.renditions.first?.channelCount == 12)
        var written = expected
        written.declaredVersion = 13
        #expect(try Playlist.parse(expected.text) == .multivariant(written))
    }

    @Test(arguments: [
        ("", nil), ("x", nil), ("2", 2), ("6/JOC", 6), ("16/-/BED-4", 16), ("99999999999999999999", nil), ("-2", nil),
    ])
    func `channels are counted where they are declared`(channels: String, count: Int?) {
        var rendition = MediaRendition(kind: .audio, group: "a", name: "n")
        rendition.channels = channels
        #expect(rendition.channelCount == count)
    }

    @Test func `variants with unknown requirements are ignored with their URIs`() throws {
        let playlist = try read(
            """
            #EXT-X-STREAM-INF:BANDWIDTH=1,REQ-VIDEO-LAYOUT="CH-SMELL"
            smell.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=1,REQ-FEELING=YES
            feeling.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8",REQ-FEELING=YES
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",REQ-VIDEO-LAYOUT="CH-MONO"
            #EXT-X-SESSION-DATA:DATA-ID="x",URI="u",FORMAT=TEA
            """ + Self.last
        )
        #expect(playlist == MultivariantPlaylist(variants: [Variant(uri: "a.m3u8", bandwidth: 1)]))
        let error = #expect(throws: PlaylistError.self) { try read("#EXT-X-STREAM-INF:BANDWIDTH=1,REQ-A=B\na\n") }
        #expect(error?.description == "line 2: every variant requires an unknown feature")
        let lone = #expect(throws: PlaylistError.self) { try read("#EXT-X-STREAM-INF:BANDWIDTH=1,REQ-A=B\n") }
        #expect(lone?.reason == .missing)
    }

    @Test(arguments: [
        ("#EXT-X-SESSION-DATA:VALUE=\"x\"", "line 2: #EXT-X-SESSION-DATA has no DATA-ID"),
        ("#EXT-X-SESSION-DATA:DATA-ID=\"x\"", "line 2: #EXT-X-SESSION-DATA has no VALUE or URI"),
        ("#EXT-X-SESSION-KEY:METHOD=NONE", "line 2: METHOD of #EXT-X-SESSION-KEY is not one that encrypts"),
        ("#EXT-X-SESSION-KEY:METHOD=AES-128", "line 2: #EXT-X-SESSION-KEY has no URI"),
        ("#EXT-X-CONTENT-STEERING:PATHWAY-ID=\"a\"", "line 2: #EXT-X-CONTENT-STEERING has no SERVER-URI"),
        (
            "#EXT-X-CONTENT-STEERING:SERVER-URI=\"a\"\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"a\"",
            "line 3: #EXT-X-CONTENT-STEERING is repeated"
        ),
        (
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",SAMPLE-RATE=99999999999999999999",
            "line 2: SAMPLE-RATE of #EXT-X-MEDIA is not a whole number"
        ),
        (
            "#EXT-X-STREAM-INF:BANDWIDTH=1,SCORE=-1\na",
            "line 2: SCORE of #EXT-X-STREAM-INF is not a decimal number of zero or more"
        ),
        ("#EXT-X-DEFINE:IMPORT=\"a\"", "line 2: the variable a cannot be imported"),
        ("#EXT-X-DEFINE:VALUE=\"a\"", "line 2: #EXT-X-DEFINE has no NAME, IMPORT or QUERYPARAM"),
        ("#EXT-X-DEFINE:NAME=\"a\"", "line 2: #EXT-X-DEFINE has no VALUE"),
        ("#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"c\"", "line 2: \"a b\" cannot name a variable"),
        (
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"c\",QUERYPARAM=\"q\"",
            "line 2: #EXT-X-DEFINE has more than one of NAME, IMPORT and QUERYPARAM"
        ),
        (
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"c\"\n#EXT-X-DEFINE:QUERYPARAM=\"a\"",
            "line 3: the variable a is defined twice"
        ),
        ("#EXT-X-DEFINE:QUERYPARAM=\"none\"", "line 2: the URL has no query parameter none with a value"),
        ("#EXT-X-DEFINE:QUERYPARAM=\"bare\"", "line 2: the URL has no query parameter bare with a value"),
        (
            "#EXT-X-DEFINE:QUERYPARAM=\"bad\"",
            "line 2: the URL's query parameter bad contains a quote, a line break, or invalid UTF-8"
        ),
        (
            "#EXT-X-DEFINE:QUERYPARAM=\"quote\"",
            "line 2: the URL's query parameter quote contains a quote, a line break, or invalid UTF-8"
        ),
        (
            "#EXT-X-DEFINE:QUERYPARAM=\"line\"",
            "line 2: the URL's query parameter line contains a quote, a line break, or invalid UTF-8"
        ),
        (
            "#EXT-X-DEFINE:QUERYPARAM=\"bytes\"",
            "line 2: the URL's query parameter bytes contains a quote, a line break, or invalid UTF-8"
        ),
    ])
    func `refuses with the line and the reason`(lines: String, description: String) {
        let url = "http://h/p.m3u8?a=1&bare&bad=%4&quote=%22&line=a%0Ab&bytes=%FF"
        let error = #expect(throws: PlaylistError.self) { try read(lines + Self.last, from: url) }
        #expect(error?.description == description)
    }

    @Test func `a value is preferred to a reference to one`() throws {
        let playlist = try read("#EXT-X-SESSION-DATA:DATA-ID=\"x\",VALUE=\"a\",URI=\"b\"" + Self.last)
        #expect(playlist.sessionData == [SessionData(dataID: "x", content: .value("a"))])
    }

    @Test func `query parameters are decoded`() throws {
        let text = "#EXT-X-DEFINE:QUERYPARAM=\"q\"\n#EXT-X-DEFINE:QUERYPARAM=\"e\"" + Self.last
        let playlist = try read(text, from: "http://h/p.m3u8?q=a%20%C3%A4+%25&e=#q=x")
        #expect(playlist.variables == ["q": "a ä+%", "e": ""])
    }

    @Test func `a multivariant playlist imports nothing`() {
        let text = "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"a\"" + Self.last
        let error = #expect(throws: PlaylistError.self) { try Playlist.parse(text, importing: ["a": "b"]) }
        #expect(error?.line == 2)
    }

    @Test func `the version is the lowest that suffices`() {
        #expect(MultivariantPlaylist(variants: []).requiredVersion == 1)
        var defining = MultivariantPlaylist(variants: [])
        defining.variables = ["a": "b"]
        #expect(defining.requiredVersion == 8)
        var stereoscopic = Variant(uri: "a", bandwidth: 1)
        stereoscopic.videoLayouts = ["CH-MONO"]
        #expect(MultivariantPlaylist(variants: [stereoscopic]).requiredVersion == 12)
    }

    @Test(arguments: [
        (MediaRendition.Kind.closedCaptions, "SERVICE1", 7), (.closedCaptions, "CC1", 1), (.video, "SERVICE1", 13),
    ])
    func `a stream in the media raises the version`(kind: MediaRendition.Kind, stream: String, version: Int) {
        var rendition = MediaRendition(kind: kind, group: "a", name: "b")
        rendition.instreamID = stream
        #expect(MultivariantPlaylist(variants: [], renditions: [rendition]).requiredVersion == version)
    }
}
