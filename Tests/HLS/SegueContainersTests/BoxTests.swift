import SegueContainers
import SegueTestSupport
import Testing

@Suite struct `Boxes` {
    private let big = SegmentBytes.big

    @Test func `boxes of one level are in order, and their bodies are slices of the same bytes`() {
        let bytes = SegmentBytes.box("ftyp", [1, 2]) + SegmentBytes.box("free") + SegmentBytes.box("moov", [3])
        var boxes = BoxReader(bytes[...])
        var found: [(FourCC, Range<Int>)] = []
        while let box = boxes.next() { found.append((box.type, box.body.indices)) }
        #expect(found.map(\.0) == ["ftyp", "free", "moov"])
        #expect(found.map(\.1) == [8..<10, 18..<18, 26..<27])
    }

    @Test func `boxes with a 64-bit size, or none, have the size that they declare`() throws {
        let long = big(1, 4) + Array("mdat".utf8) + big(18, 8) + [7, 8]
        let open = big(0, 4) + Array("free".utf8) + [9]
        var boxes = BoxReader((long + open)[...])
        #expect(boxes.next()?.body == [7, 8])
        #expect(boxes.next()?.body == [9])
        #expect(boxes.next() == nil)
        let head = try #require(BoxHead(long[...]))
        #expect(head.length == 16 && head.size == 18 && BoxHead.isLong(long[...]))
        #expect(BoxHead(open[...])?.size == nil)
    }

    @Test(arguments: [2, 7])
    func `a box size below that of its header ends the reading`(size: Int) {
        var boxes = BoxReader((big(size, 4) + Array("moov".utf8) + big(0, 8))[...])
        #expect(boxes.next() == nil)
    }

    @Test(arguments: [0, 15])
    func `a 64-bit box size below that of its header ends the reading`(size: Int) {
        #expect(BoxHead((big(1, 4) + Array("moov".utf8) + big(size, 8))[...]) == nil)
    }

    @Test(arguments: [Int.max, -1])
    func `box sizes beyond any file are cut short`(size: Int) throws {
        let bytes = big(1, 4) + Array("moov".utf8) + big(size, 8) + [5]
        #expect(try #require(BoxHead(bytes[...])).size == BoxHead.farthest)
        var boxes = BoxReader(bytes[...])
        #expect(boxes.next()?.body == [5])
        #expect(boxes.next() == nil)
    }

    @Test func `nested boxes are found by their path`() {
        let bytes = SegmentBytes.box("moov", SegmentBytes.box("udta"), SegmentBytes.box("mvex", [4]))
        #expect(BoxReader.first(["moov", "mvex"], in: bytes[...]) == [4])
        #expect(BoxReader.first(["moov", "trak"], in: bytes[...]) == nil)
    }

    @Test func `unprintable bytes of a box type show as dots`() {
        #expect(FourCC(0x00A9_6E61).description == "..na")
        #expect("©na".utf8.count == 4)
        #expect(FourCC("moov").description == "moov")
    }

    @Test func `inputs cut off anywhere, or with any byte changed, do not trap`() {
        let whole = SegmentBytes.initialization + SegmentBytes.fragment
        func read(_ bytes: ArraySlice<UInt8>, depth: Int) -> Int {
            var count = 0
            var boxes = BoxReader(bytes)
            while let box = boxes.next() {
                count += 1
                _ = (ClockHead(box.body), MovieHeads.trackNumber(box.body), TrackDefaults(box.body))
                _ = (EditList(box.body).map { Array($0) }, BoxTable(box.type, box.body), FragmentHead(box.body))
                _ = SampleEntry(box.body).map { ElementaryDescriptor($0.boxes(behind: .audio)) }
                if var run = TrackRun(box.body) { while run.next() != nil { count += 1 } }
                if depth < 8 { count += read(box.body, depth: depth + 1) }
            }
            return count
        }
        #expect(read(whole[...], depth: 0) > 40)
        // A trap would end the tests, and so would an endless loop.
        var count = 0
        for end in stride(from: 0, to: whole.count, by: 5) { count += read(whole[..<end], depth: 0) }
        for place in stride(from: 0, to: whole.count, by: 2) {
            var changed = whole
            changed[place] = place % 4 == 0 ? 0xFF : changed[place] ^ 0x01
            count += read(changed[...], depth: 0)
        }
        #expect(count > 0)
    }
}
