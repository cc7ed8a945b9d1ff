internal import SegueBase
internal import SegueFFmpeg

/// Repair of the times of second fields in H.264 transport streams.
///
/// Many streams have a timestamp for both fields of a frame together. libav then guesses that of the second field, by up to
/// some frames too late.
enum FieldTimes {
    /// The number of packets that show whether the times need repair.
    private static let sample = 512
    /// The tolerated deviation of a second field, in field durations.
    private static let slack = Rational(3, 2)

    /// Places each second field right behind its first, if libav guessed any of the times.
    static func mended(_ index: StreamIndex, reader: PacketReader) throws -> StreamIndex {
        // Movies and Matroska, with lengths before units, have a time for each packet.
        guard index.info.codec == "h264", index.info.isInterlaced, index.info.timeBase == Rational(1, 90000),
            PictureParts(index.info) == nil
        else { return index }
        let count = index.packets.count
        let first = try seconds(of: index, within: 0..<min(sample, count), reader: reader)
        guard late(first, index.packets) != nil else { return index }
        let all = count > sample ? try seconds(of: index, within: 0..<count, reader: reader) : first
        var result = index
        result.packets = mended(index.packets, seconds: all)
        return result
    }

    /// The packets with the times of misplaced second fields corrected; `seconds` are the second fields.
    static func mended(_ packets: PacketList, seconds: [Int]) -> PacketList {
        guard let (field, wrong) = late(seconds, packets) else { return packets }
        let places = Set(wrong)
        var result = PacketList()
        var last = IndexedPacket.unknown
        for (number, packet) in packets.enumerated() {
            var packet = packet
            if places.contains(number) { packet.pts = last + field }
            last = packet.pts
            result.append(packet)
        }
        return result
    }

    /// The packets that are second fields.
    private static func seconds(of index: StreamIndex, within range: Range<Int>, reader: PacketReader) throws -> [Int] {
        guard let parser = VideoParser(stream: index.info) else { return [] }
        var result: [Int] = []
        var former: VideoParser.Structure?
        try reader.begin([index.info.index: range])
        while let (_, number, packet) = try reader.next() {
            let structure = parser.structure(of: packet)
            let isSecond = former != nil && former != .frame && structure != .frame && former != structure
            if isSecond { result.append(number) }
            // The next field begins another frame.
            former = isSecond ? nil : structure
        }
        return result
    }

    /// The duration of a field, and the second fields that are not about one field behind their first; nil without any.
    private static func late(_ seconds: [Int], _ packets: PacketList) -> (field: Int64, wrong: [Int])? {
        let firsts = seconds.map { packets[$0 - 1].pts }.filter { $0 != IndexedPacket.unknown }.sorted()
        let steps = zip(firsts.dropFirst(), firsts).map { $0 - $1 }.filter { $0 > 1 }.sorted()
        guard !steps.isEmpty, case let field = steps[steps.count / 2] / 2 else { return nil }
        let wrong = seconds.filter { number in
            let (first, second) = (packets[number - 1].pts, packets[number].pts)
            guard first != IndexedPacket.unknown else { return false }
            return second == IndexedPacket.unknown || second < first
                || Rational(second - first) > slack * Rational(field)
        }
        return wrong.isEmpty ? nil : (field, wrong)
    }
}
