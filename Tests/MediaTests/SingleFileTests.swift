import Foundation
import Media
import TestSupport
import Testing

@Suite struct `Files that name others` {
    /// What stands in a file called `film.mp4`, with `@` for the other file's address.
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
    func `are refused with the reason, whatever they are called`(kind: String, address: String) throws {
        let folder = try TestFolder()
        let media = try TinyMedia.picture(frames: 25, format: "mpegts")
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
            error?.message == "it is no film or song but names others (\(kind)), and what a file names is not opened"
        )
        #expect(throws: MediaError.self) { try MediaInput(bytes: Array(text.utf8), name: path) }
        #expect(throws: MediaError.self) { try MediaInput(path: path, format: kind) }
        // Nor is it opened for those who name the demuxer's wishes themselves.
        #expect(throws: MediaError.self) {
            try MediaInput(path: path, options: ["format_whitelist": kind, "protocol_whitelist": "file,data"])
        }
    }

    @Test func `a series of pictures is not looked for`() throws {
        let folder = try TestFolder()
        let picture = try TinyMedia.picture(frames: 1, format: "mjpeg", codec: "mjpeg")
        for number in 0..<3 { _ = try folder.write(picture, to: "p\(number).jpg") }
        let path = try folder.write(Array("no picture at all".utf8), to: "p%d.jpg")
        let error = #expect(throws: MediaError.self) { try MediaInput(path: path) }
        #expect(error?.message == "it is one of a series of pictures, not a film")
        #expect(try MediaInput(path: folder.file("p0.jpg")).streams.count == 1)
    }
}
