import SeguePackager
import Testing

@testable import SegueOrigin

@Suite struct `Segment addresses` {
    private static func address(_ path: String) -> SegmentAddress? {
        SegmentAddress(path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)[...])
    }

    @Test(arguments: [
        ("0a1b/full.fmp4/init.mp4", SegmentAddress.Piece.initSegment(.full), SegmentContainer.fmp4),
        ("0a1b/full.fmp4/0.m4s", .segment(0, .full), .fmp4),
        ("0a1b/background.ts/17.ts", .segment(17, .background), .ts),
        ("0a1b/iframes.ts/whole.ts", .whole(.keyframes), .ts),
        ("0a1b/sound-2.fmp4/whole.mp4", .whole(.audio(2)), .fmp4),
        ("0a1b/subtitles-3.ts/4.vtt", .subtitles(4, .stream(3)), .ts),
        ("0a1b/side-c0de.fmp4/5.vtt", .subtitles(5, .side(tag: "c0de")), .fmp4),
    ])
    func `survive a round trip`(path: String, piece: SegmentAddress.Piece, container: SegmentContainer) throws {
        for (text, device) in [(path, nil), (path.replacing("0a1b/", with: "0a1b/old-phone/"), "old-phone")] {
            let address = try #require(Self.address(text))
            #expect(address.tag == "0a1b" && address.device == device)
            #expect(address.piece == piece && address.container == container)
            #expect(address.path == text)
        }
    }

    @Test(arguments: [
        "0a1b/full.fmp4/", "0a1b/old-phone/background.ts/", "0a1b/subtitles-3.ts/", "0a1b/side-c0de.fmp4/",
    ])
    func `of a folder's segments equal the individual ones`(folder: String) throws {
        let ending = folder.contains("-3") || folder.contains("side") ? "vtt" : folder.contains("fmp4") ? "m4s" : "ts"
        let paths = try #require(Self.address("\(folder)0.\(ending)")).segmentPaths
        for number in [0, 7, 1234] {
            #expect(
                Self.address(paths(number))?.path == paths(number) && paths(number) == "\(folder)\(number).\(ending)"
            )
        }
    }

    @Test(arguments: [
        "", "0a1b", "0a1b/full.ts", "0a1b/full/0.ts", "0a1b/full.ts.ts/0.ts", "0a1b/full.avi/0.ts", "0a1b/none.ts/0.ts",
        "0a1b/full.ts/init.mp4", "0a1b/full.ts/0.m4s", "0a1b/full.fmp4/0.ts", "0a1b/full.fmp4/whole.ts",
        "0a1b/full.ts/00.ts", "0a1b/full.ts/-1.ts", "0a1b/full.ts/+1.ts", "0a1b/full.ts/1.ts.ts", "0a1b/full.ts/.ts",
        "0a1b/full.ts/9223372036854775808.ts", "0a1b/subtitles-03.ts/4.vtt", "0a1b/subtitles-3.ts/4.ts",
        "0a1b/side-x.ts/a.vtt", "0a1b/full.ts/4.vtt", "a/0a1b/old-phone/full.ts/0.ts",
    ])
    func `reject malformed paths`(path: String) { #expect(Self.address(path) == nil) }

    @Test func `accept the maximum number`() throws {
        let address = try #require(Self.address("0a1b/full.ts/\(Int.max).ts"))
        #expect(address.piece == .segment(Int.max, .full))
    }
}
