import SegueConformance
import SegueContainers
import SegueTestSupport
import Testing

@Suite struct `What is taken for a playlist` {
    private static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(8 + body.count)] + Array(kind.utf8) + body
    }

    static let others: [(bytes: [UInt8], words: String)] = [
        (TransportStream.segment(hasVideo: true, hasAudio: true, size: 1880), "a segment (MPEG-TS)"),
        // Without tables, as an I-frame is cut out of a file.
        (Array([[0x47, 0x41, 0, 0x10] + [UInt8](repeating: 1, count: 184)].joined()), "a segment (MPEG-TS)"),
        (Array("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n".utf8), "a segment (WebVTT)"),
        (box("styp", Array("msdh".utf8) + [0, 0, 0, 0]) + box("moof", box("mfhd", [0, 0, 0, 0, 0, 0, 0, 1])), "is"),
        (Array("OggS".utf8) + [0, 2], "a media file (Ogg)"), (Array("fLaC".utf8) + [0], "a media file (FLAC)"),
        ([0x1A, 0x45, 0xDF, 0xA3, 0x9F], "a media file (Matroska)"),
        (box("ftyp", Array("isom".utf8)) + [0, 0, 0, 8] + Array("mdat".utf8), "a media file (MP4)"),
        ([1, 2, 3, 0, 5], "is binary data"), (Array("\n<html><title>Gone</title></html>".utf8), "is HTML"),
        (Array("<!DOCTYPE html>\n".utf8), "is HTML"), (Array("{\"error\": 404}".utf8), "is JSON"),
        (Array("[{\"a\": 1}]".utf8), "is JSON"), (Array("<?xml version=\"1.0\"?>\n<MPD/>".utf8), "a DASH manifest"),
        (Array("<?xml version=\"1.0\"?>\n<Error/>".utf8), "is XML"),
    ]

    @Test(arguments: others.indices)
    func `a mistaken file is described by its kind`(index: Int) throws {
        let words = try #require(MistakenPlaylist.description(of: Self.others[index].bytes))
        #expect(words.contains(Self.others[index].words), "\(words)")
    }

    @Test(arguments: ["#EXTM3U\n", "\u{FEFF}#EXTM3U\n", "", "EXTM3U\n", "Gone"])
    func `playlists, and possibly broken ones, pass`(text: String) {
        #expect(MistakenPlaylist.description(of: Array(text.utf8)) == nil)
    }
}
