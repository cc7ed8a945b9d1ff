import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Subtitles` {
    private static let srt = """
        1
        00:00:00,500 --> 00:00:02,250
        <i>Hello</i> & <b>good</b> evening

        2
        00:00:05,000 --> 00:00:07,000
        {\\an8}Across a --> border
        <font color="red">second</font> line

        3
        00:00:12,400 --> 00:00:30,000
        To the end

        """

    private static let ass = """
        [Script Info]
        ScriptType: v4.00+

        [V4+ Styles]
        Format: Name, Fontname, Fontsize
        Style: Default,Arial,20

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:01.00,0:00:04.00,Default,,0,0,0,,{\\i1}One{\\i0}\\Ntwo, three
        Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}
        Dialogue: 0,0:00:02.50,0:00:03.50,Default,,0,0,0,,over it

        """

    private static func film(in folder: TestFolder) throws -> Presentation {
        let clip = Clip(
            container: "matroska",
            bFrames: 0,
            audioCodec: nil,
            subtitles: [.init(text: srt, format: "srt", language: "eng"), .init(text: ass, format: "ass")]
        )
        return try PresentationTests.open(clip.write(in: folder))
    }

    private static func segment(_ presentation: Presentation, _ number: Int, of stream: Int) throws -> String {
        let bytes = try presentation.subtitleSegment(number, of: stream, cancellation: Cancellation())
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `each segment has all cues that overlap it`() throws {
        let folder = try TestFolder()
        let presentation = try Self.film(in: folder)
        #expect(presentation.subtitles.map(\.index) == [1, 2])
        #expect(presentation.subtitles.first?.language == "eng")
        #expect(presentation.plan.segments.map(\.start) == [.zero, Rational(6), Rational(12)])
        let offset = presentation.plan.timestampOffset.rounded(scale: 90000)
        let plain = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(offset),LOCAL:00:00:00.000\n"
        let head = plain + "\nSTYLE\n::cue(.rgbff0000) { color: #ff0000 }\n"
        let border = """

            00:00:05.000 --> 00:00:07.000 line:0
            Across a --&gt; border
            <c.rgbff0000>second</c> line

            """
        #expect(
            try Self.segment(presentation, 0, of: 1) == head + """

                00:00:00.500 --> 00:00:02.250
                <i>Hello</i> &amp; <b>good</b> evening

                """ + border
        )
        #expect(try Self.segment(presentation, 1, of: 1) == head + border)
        #expect(
            try Self.segment(presentation, 2, of: 1) == head + """

                00:00:12.400 --> 00:00:30.000
                To the end

                """
        )
        #expect(
            try Self.segment(presentation, 0, of: 2) == plain + """

                00:00:01.000 --> 00:00:04.000
                <i>One</i>
                two, three

                00:00:02.500 --> 00:00:03.500
                over it

                """
        )
        // Without cues, a segment has only the header.
        #expect(try Self.segment(presentation, 1, of: 2) == plain)
    }

    @Test func `are the same bytes in any order`() throws {
        let folder = try TestFolder()
        let presentation = try Self.film(in: folder)
        let backwards = try [2, 1, 0].map { try Self.segment(presentation, $0, of: 1) }
        let other = try Self.film(in: folder)
        #expect(try [0, 1, 2].map { try Self.segment(other, $0, of: 1) } == backwards.reversed())
    }

    @Test(arguments: [(0, 0), (3, 1), (7, 0)])
    func `that do not exist are not found`(number: Int, stream: Int) throws {
        let folder = try TestFolder()
        let presentation = try Self.film(in: folder)
        #expect {
            _ = try presentation.subtitleSegment(number, of: stream, cancellation: Cancellation())
        } throws: { ($0 as? PackagingError)?.reason == .noSuchSegment }
    }

    @Test(arguments: [
        ("plain", "plain"), ("a < b & c > d", "a &lt; b &amp; c &gt; d"), ("{\\i1}x{\\i0} y", "<i>x</i> y"),
        ("{\\b1\\i1}x{\\b0}y", "<b><i>x</i></b><i>y</i>"), ("{\\b700}x", "<b>x</b>"), ("{\\b400}x", "x"),
        ("{\\u1}x{\\r}y", "<u>x</u>y"), ("one\\Ntwo\\n\\Nthree", "one\ntwo\nthree"), ("a\\hb", "a\u{a0}b"),
        ("{\\p1}m 0 0{\\p0}", ""), ("{\\pos(1,2)\\fad(1,2)}x", "x"), ("{ no end", "{ no end"), ("{\\i1}{\\i0}", ""),
        ("  spaced  \\N   ", "spaced"), ("a\\b", "a\\b"), ("{\\blur2}x{\\be1}y", "xy"),
        ("{\\c&H0000FF&}x{\\c}y", "<c.rgbff0000>x</c>y"), ("{\\1c&HFF8000&\\i1}x", "<c.rgb0080ff><i>x</i></c>"),
        ("{\\c&HFFFFFF&}x", "x"), ("{\\c&H101010&}x", "x"), ("{\\2c&H0000FF&}x", "x"), ("{\\clip(1,2,3,4)}x", "x"),
        ("{\\c&H0000FF&}x{\\c&H00FF00&}y", "<c.rgbff0000>x</c><c.rgb00ff00>y</c>"),
    ])
    func `keep the tags that WebVTT knows`(source: String, text: String) { #expect(CueText(source).text == text) }

    @Test(arguments: [
        ("{\\an8}x", "line:0"), ("{\\an2}x", ""), ("{\\an5}x", "line:50%"),
        ("{\\an7}x", "line:0 position:0% align:start"),
        ("{\\an3\\an8}x", "position:100% align:end"), ("{\\an99}x", ""), ("x", ""),
        ("{\\pos(192,72)}x", "line:25%,end position:50%"),
        ("{\\an7\\pos(96,0)}x", "line:0% position:25% align:start"),
        ("{\\an6\\pos(999,144)}x", "line:50%,center position:100% align:end"), ("{\\pos(a,b)}x", ""),
    ])
    func `stand where the source has them`(source: String, settings: String) {
        #expect(CueText(source).settings == settings)
    }

    @Test func `in a style have its appearance`() throws {
        let styles = SubtitleStyles(
            header: """
                [Script Info]
                PlayResX: 1920
                PlayResY: 1080

                [V4+ Styles]
                Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Underline, Alignment
                Style: Sign,Arial,20,&H0000FFFF,-1,0,1,8
                Style: Default,Arial,20,&H00FFFFFF,0,0,0,2

                """
        )
        let sign = CueText("a {\\b0\\pos(960,270)}b{\\r} c", style: styles["*Sign"], canvas: styles.canvas)
        #expect(
            sign.text
                == "<b><u><c.rgbffff00>a </c></u></b><u><c.rgbffff00>b</c></u><b><u><c.rgbffff00> c</c></u></b>"
        )
        #expect(sign.settings == "line:25% position:50%")
        #expect(sign.colours.map(\.rule) == ["::cue(.rgbffff00) { color: #ffff00 }"])
        let other = CueText("x", style: styles["none"])
        #expect(other.text == "x" && other.settings.isEmpty && other.colours.isEmpty)
        let old = SubtitleStyles(
            header: "[V4 Styles]\nFormat: Name, PrimaryColour, Alignment\nStyle: A,65535,6\nStyle: B,0,10"
        )
        #expect(CueText("x", style: old["A"]).text == "<c.rgbffff00>x</c>")
        #expect(CueText("x", style: old["A"]).settings == "line:0")
        #expect(CueText("x", style: old["B"]).settings == "line:50%")
    }

    @Test func `without any cue are not listed, with the reason`() throws {
        let folder = try TestFolder()
        let none = "[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Text\n"
        let clip = Clip(
            container: "matroska",
            bFrames: 0,
            audioCodec: nil,
            subtitles: [.init(text: none, format: "ass", language: "eng"), .init(text: Self.ass, format: "ass")]
        )
        let presentation = try PresentationTests.open(clip.write(in: folder))
        #expect(presentation.subtitles.map(\.index) == [2])
        #expect(presentation.refusedSubtitles == [1: "the file declares the subtitles but has no cue of them"])
    }

    @Test func `of a WebVTT file keep styles, regions, settings, and tags`() throws {
        let folder = try TestFolder()
        let text = """
            \u{feff}WEBVTT - a talk
            Kind: captions

            NOTE no cue

            STYLE
            ::cue(c.loud) { color: red; }

            REGION
            id:low width:40%

            name
            00:01.000 --> 00:00:03.000 align:start position:0% region:low
            hello <00:00:01.500><c.loud>world</c>

            00:12.500 --> 00:13.000
            end

            99:00:00.000 --> 99:00:01.000
            beyond the film
            """
        let path = try folder.write(Array(text.utf8), to: "talk.vtt")
        let presentation = try PresentationTests.open(Clip(audioCodec: nil).write(in: folder))
        let side = try FileIdentity(ofFileAt: path)
        let segments = try presentation.plan.segments.map { segment in
            let bytes = try presentation.subtitleSegment(segment.number, ofFile: side, cancellation: Cancellation())
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 2).dropFirst(2).joined()
        }
        let styles = "\nSTYLE\n::cue(c.loud) { color: red; }\n\nREGION\nid:low width:40%\n"
        #expect(
            segments == [
                styles + """

                    00:00:01.000 --> 00:00:03.000 align:start position:0% region:low
                    hello <00:00:01.500><c.loud>world</c>

                    """,
                styles, styles + "\n00:00:12.500 --> 00:00:13.000\nend\n",
            ]
        )
    }
}
