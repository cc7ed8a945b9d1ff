import SegueFFmpeg
import Testing

@Suite struct `Drawings as pixels` {
    @Test func `a drawing becomes a PNG of the wished width with its colours`() throws {
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10">\
            <rect width="20" height="10" fill="#ff0000"/></svg>
            """
        let png = try DrawnImage.png(svg: Array(svg.utf8), width: 40)
        let input = try MediaInput(bytes: png, name: "made", format: "png_pipe")
        let stream = try #require(input.streams.first)
        let packet = Packet()
        #expect(try input.read(into: packet))
        var colours: [[UInt8]] = []
        let decoder = try Decoder(stream: stream, file: "made")
        let look = { (frame: Frame) in
            #expect(frame.width == 40 && frame.height == 20)
            let plane = try #require(frame.plane(0))
            colours.append([plane[0], plane[1], plane[2]])
        }
        try decoder.decode(packet, look)
        try decoder.decode(nil, look)
        #expect(colours == [[255, 0, 0]])
    }

    @Test func `what is no drawing is refused`() {
        #expect(throws: MediaError.self) { try DrawnImage.png(svg: Array("no drawing".utf8), width: 40) }
    }
}
