internal import SegueBase
internal import SegueContainers

/// The layouts of files with frames of one codec: MP3, ADTS AAC, AC-3.
extension LayoutReader {
    /// Searches for frames in the window.
    func audio() -> Answer {
        guard let place = firstFrame else {
            if window.count > Self.mostJunk || isAtEnd {
                return .unusable("the file is not MP4, QuickTime, MP3, AAC, AC-3, WAV, AIFF, or FLAC")
            }
            return .more
        }
        guard let first = AudioFrame(window[place...]), window.count - place >= first.size + 7 || isAtEnd else {
            return .more
        }
        let begin = origin + Int64(place)
        if let index = VBRHeader(window[place...].prefix(first.size), frame: first) {
            return index.layout(from: begin, length: length, first)
        }
        guard let length else { return .endless(codec: first.codec, start: begin) }
        guard window.count - place >= Self.audioSample || isAtEnd else { return .more }
        var scanner = FrameScanner()
        scanner.take(window[place...].prefix(Self.audioSample))
        guard scanner.bytes > 0, scanner.duration > .zero else { return .unusable("the first frame has no duration") }
        let share = Double(length - begin) / Double(scanner.bytes)
        let nanoseconds = Double(scanner.duration.wholeNanoseconds) * share
        var layout = MediaLayout.even(
            first.codec,
            from: begin,
            to: length,
            duration: min(.longestFile, .nanoseconds(Int64(min(nanoseconds, 9e18))))
        )
        layout.isEstimate = true
        return .found(layout)
    }

    /// Returns the offset in the window of the first frame that another frame or the end of the file follows.
    private var firstFrame: Int? {
        for place in window.indices where window[place] == 0xFF || window[place] == 0x0B {
            guard let frame = AudioFrame(window[place...]) else { continue }
            let next = place + frame.size
            if next + 7 > window.count {
                return isAtEnd && next == window.count || !isAtEnd && place == 0 ? place : nil
            }
            if let following = AudioFrame(window[next...]), following.isLike(frame) { return place }
        }
        return nil
    }
}

extension AudioFrame {
    /// Returns true if both frames can belong to one stream.
    func isLike(_ other: AudioFrame) -> Bool { codec == other.codec && sampleRate == other.sampleRate }
}

/// The header in the first frame of an MP3 file: Xing, Info, or VBRI.
///
/// "MPEG Audio Frame Header" (Windszus, codeproject.com, 2007) describes the layout of the three.
private struct VBRHeader {
    private var frames: Int64
    private var size: Int64?
    /// The offsets of evenly spaced times as fractions of the file.
    private var places: [Double] = []
    private var padding = 0

    init?(_ frame: ArraySlice<UInt8>, frame header: AudioFrame) {
        guard header.codec == "mp3" else { return nil }
        let bytes = Array(frame)
        let (isFirstVersion, isMono) = (bytes[1] & 0x08 != 0, bytes[3] >> 6 == 3)
        let side = isFirstVersion ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        guard let index = Self(xing: bytes.dropFirst(4 + side)) ?? Self(vbri: bytes.dropFirst(36)) else {
            return nil
        }
        self = index
    }

    private init?(xing bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let name = reader.code(), name == "Xing" || name == "Info", let flags = reader.integer(4), flags & 1 != 0,
            let frames = reader.integer(4), frames > 0
        else { return nil }
        self.frames = Int64(frames)
        if flags & 2 != 0 { size = reader.integer(4).flatMap { $0 > 0 ? Int64($0) : nil } }
        if flags & 4 != 0, let table = reader.slice(100) { places = table.map { Double($0) / 256 } }
        if flags & 8 != 0 { reader.skip(4) }
        // The encoder name has 9 bytes; its delay and padding follow 12 bytes later.
        guard let encoder = reader.slice(4),
            encoder.starts(with: Array("LA".utf8)) || encoder.starts(with: Array("Lav".utf8)),
            reader.skip(17), let delays = reader.integer(3)
        else { return }
        padding = delays >> 12 + delays & 0xFFF
    }

    private init?(vbri bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard reader.code() == "VBRI", reader.skip(6), let size = reader.integer(4), let frames = reader.integer(4),
            frames > 0, let entries = reader.integer(2), let scale = reader.integer(2), let width = reader.integer(2),
            reader.skip(2), (1...4).contains(width)
        else { return nil }
        self.frames = Int64(frames)
        self.size = size > 0 ? Int64(size) : nil
        var sum = 0.0
        var sums = [0.0]
        for _ in 0..<entries {
            guard let step = reader.integer(width) else { break }
            sum += Double(step * scale)
            sums.append(sum)
        }
        if sum > 0, sums.count == entries + 1 { places = sums.dropLast().map { $0 / sum } }
    }

    func layout(from begin: Int64, length: Int64?, _ frame: AudioFrame) -> LayoutReader.Answer {
        let samples = frames * Int64(frame.samples)
        let duration = Duration.units(max(samples - Int64(padding), Int64(frame.samples)), of: Int64(frame.sampleRate))
        let whole = length.map { $0 - begin }
        guard let size = [size, whole].compactMap({ $0 }).min() else {
            return .endless(codec: frame.codec, start: begin)
        }
        var layout = MediaLayout.even(frame.codec, from: begin, to: begin + size, duration: duration)
        guard !places.isEmpty else { return .found(layout) }
        var points: [ByteMap.Point] = []
        var last = -1.0
        for (number, place) in places.enumerated() where place > last && place < 1 {
            points.append(
                ByteMap.Point(
                    time: number == 0 ? .zero : duration * number / places.count,
                    offset: number == 0 ? begin : begin + Int64(place * Double(size))
                )
            )
            last = number == 0 ? 0 : place
        }
        layout.map = ByteMap(points: points + [ByteMap.Point(time: duration, offset: begin + size)])
        return .found(layout)
    }
}
