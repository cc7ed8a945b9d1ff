import Foundation
import SegueFFmpeg
import SegueTestSupport
import Testing

@Suite struct `Files that name others` {
    /// The content of a file called `film.mp4`, with `@` for the other file's address.
    private static let contents = [
        "hls": """
        #EXTM3U
        #EXT-X-TARGETDURATION:2
        #EXTINF:1,
        @
        #EXT-X-ENDLIST

        """,
        "dash": """
        <?xml version="1.0"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"
        profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" mediaPresentationDuration="PT1S">
        <Period><AdaptationSet mimeType="video/mp2t"><Representation id="1" bandwidth="1000">
        <BaseURL>@</BaseURL><SegmentList duration="1"><SegmentURL media="@"/></SegmentList>
        </Representation></AdaptationSet></Period></MPD>
        """,
        "concat": "ffconcat version 1.0\nfile '@'\n",
        "sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n",
        "vobsub": "# VobSub index file, v7\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 000000000\n",
    ]

    @Test(
        arguments: contents.keys.sorted(),
        ["private.ts", "../private.ts", "/private.ts", "file:/private.ts", "data:video/mp2t;base64,"]
    )
    func `are rejected with the reason, independent of their names`(kind: String, address: String) throws {
        let folder = try TestFolder()
        let media = try TinyMedia.image(frames: 25, format: "mpegts")
        try FileManager.default.createDirectory(atPath: folder.file("inner"), withIntermediateDirectories: true)
        for place in ["private.ts", "inner/private.ts"] { _ = try folder.write(media, to: place) }
        let absolute = folder.file("private.ts")
        let other =
            switch address {
            case let data where data.hasPrefix("data:"): data + Data(media).base64EncodedString()
            case "/private.ts": absolute
            case "file:/private.ts": "file://" + absolute
            default: address
            }
        let text = try #require(Self.contents[kind]).replacing("@", with: other)
        let path = try folder.write(Array(text.utf8), to: "inner/film.mp4")
        let error = #expect(throws: MediaError.self) { try MediaInput(path: path) }
        #expect(
            error?.message == "the file is a list of other files (\(kind)), which Segue does not open"
        )
        #expect(throws: MediaError.self) { try MediaInput(bytes: Array(text.utf8), name: path) }
        #expect(throws: MediaError.self) { try MediaInput(path: path, format: kind) }
        // The whitelist also applies to callers that name the demuxer's options.
        #expect(throws: MediaError.self) {
            try MediaInput(path: path, options: ["format_whitelist": kind, "protocol_whitelist": "file,data"])
        }
    }

    @Test func `an image sequence is not searched for`() throws {
        let folder = try TestFolder()
        let image = try TinyMedia.image(frames: 1, format: "mjpeg", codec: "mjpeg")
        for number in 0..<3 { _ = try folder.write(image, to: "p\(number).jpg") }
        let path = try folder.write(Array("no picture at all".utf8), to: "p%d.jpg")
        let error = #expect(throws: MediaError.self) { try MediaInput(path: path) }
        #expect(error?.message == "the file is one image of a sequence, not a video")
        #expect(try MediaInput(path: folder.file("p0.jpg")).streams.count == 1)
    }

    @Test(arguments: ReferenceMovie.Kind.allCases, [[], ["enable_drefs"], ["enable_drefs", "use_absolute_path"]])
    func `a movie that refers to samples in another file has none of them`(
        kind: ReferenceMovie.Kind,
        wishes: [String]
    ) throws {
        let folder = try TestFolder()
        let movie = try TinyMedia.audio(codec: "pcm_s16le", format: "mov", samples: 44100)
        let other = try folder.write(movie, to: "private.mov")
        let path = try folder.write(ReferenceMovie.bytes(like: movie, kind, to: other), to: "film.mov")
        #expect(try Self.content(of: other).contains { $0 != 0 })
        let content = try Self.content(of: path, options: Dictionary(uniqueKeysWithValues: wishes.map { ($0, "1") }))
        #expect(content.allSatisfy { $0 == 0 })
    }

    @Test(
        arguments: [
            "asx": "<asx version=\"3.0\"><entry><ref href=\"@\"/></entry></asx>\n",
            "asf reference": "[Reference]\r\nRef1=@\r\nRef2=@\r\n", "ram": "@\n",
            "pls": "[playlist]\nFile1=@\nNumberOfEntries=1\nVersion=2\n",
            "xspf": "<playlist><location>@</location></playlist>\n",
            "smil": "<smil><body><video src=\"@\"/></body></smil>\n", "m3u": "@\n", "qtl": "<embed src=\"@\"/>\n",
            "cue": "FILE \"@\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n",
        ].sorted { $0.key < $1.key }
    )
    func `the addresses in a list are not read`(kind: String, text: String) throws {
        let folder = try TestFolder()
        let other = try folder.write(TinyMedia.image(frames: 25, format: "mpegts"), to: "private.ts")
        for address in ["private.ts", other, "file://\(other)"] {
            for ending in ["wmv", "mp4", "rm", "mp3"] {
                let path = try folder.write(Array(text.replacing("@", with: address).utf8), to: "film.\(ending)")
                // libav opens a few of them with another demuxer, which finds nothing.
                #expect((try? Self.content(of: path)) ?? [] == [])
            }
        }
    }

    /// The packets of a file.
    private static func content(of path: String, options: [String: String] = [:]) throws -> [UInt8] {
        let input = try MediaInput(path: path, options: options)
        let packet = Packet()
        var content: [UInt8] = []
        while try input.read(into: packet) { content += packet.withBytes { Array($0) } }
        return content
    }
}
