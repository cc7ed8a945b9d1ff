internal import SegueContainers

/// Determines the mapping from times to bytes of a media file from few of its bytes.
///
/// The caller passes the requested bytes in order. The reader accepts any bytes, and its memory is bounded.
package struct LayoutReader: Sendable {
    /// The result so far.
    package enum Answer: Sendable, Equatable {
        /// The following bytes are needed.
        case more
        /// The bytes from an offset are needed.
        case jump(Int64)
        /// The layout is known.
        case found(MediaLayout)
        /// Audio without a stated end: frames of a codec, starting at an offset.
        case endless(codec: String, start: Int64)
        /// The file cannot be played, with the reason.
        case unusable(String)
        /// The file has a format that is not supported.
        case foreign(String)
    }

    /// The maximum number of bytes in memory, enough for the movie box of a film of many hours.
    static let mostHeld = 64 << 20

    /// The limit of offsets, low enough that sums do not overflow.
    private static let farthest = Int64(1) << 60

    /// The number of bytes of frames for a measurement of the bit rate.
    static let audioSample = 64 << 10

    /// The maximum number of other bytes before the first frame.
    static let mostJunk = 256 << 10

    /// The length of the file; nil if the server does not state it.
    package let length: Int64?

    /// The bytes in memory, without gaps.
    var window: [UInt8] = []

    /// The offset of the window in the file.
    var origin: Int64 = 0

    /// True after the end of the file.
    var isAtEnd = false

    private var kind: Kind?
    private var answer = Answer.more

    enum Kind: Sendable {
        case movie(MovieReader)
        case audio
        case wave
        case aiff
        case flac(FLACReader)
    }

    /// A reader of a file.
    ///
    /// - Parameter length: The length of the file in bytes; nil if it is unknown.
    package init(length: Int64?) { self.length = length }

    /// True if it is known to be a file with headers, and not frames of a codec.
    package var isFile: Bool {
        switch kind {
        case .movie, .wave, .aiff, .flac: true
        case .audio, nil: false
        }
    }

    /// The offset of the next requested byte.
    package var next: Int64 { origin + Int64(window.count) }

    /// Returns the bytes in memory from an offset.
    package func bytes(from offset: Int64) -> ArraySlice<UInt8> {
        window[Int(min(max(0, offset - origin), next - origin))...]
    }

    /// Adds bytes from ``next``.
    package mutating func take(_ bytes: some Collection<UInt8>) -> Answer {
        window += bytes
        isAtEnd = length.map { next >= $0 } ?? false
        return look()
    }

    /// Signals the end of the file.
    package mutating func finish() -> Answer {
        isAtEnd = true
        return look()
    }

    private mutating func look() -> Answer {
        guard answer == .more else { return answer }
        var result = step()
        if case .jump(let offset) = result {
            if offset < 0 || offset >= length ?? Self.farthest || offset >= Self.farthest {
                let end = length.map { "the file has only \($0) bytes" } ?? "that is beyond the limit of file sizes"
                result = .unusable("the file continues at byte \(offset), but \(end)")
            } else if offset >= origin, offset <= next {
                // It is here already.
                window.removeFirst(Int(offset - origin))
                origin = offset
                return look()
            } else {
                window = []
                origin = offset
                return result
            }
        }
        if result == .more, isAtEnd { result = .unusable("the file ends before its headers are complete") }
        if result == .more, window.count > Self.mostHeld {
            result = .unusable("nothing in its first \(Self.mostHeld) bytes identifies the content")
        }
        if result != .more { answer = result }
        return result
    }

    private mutating func step() -> Answer {
        switch kind {
        case .movie(var reader):
            let result = reader.step(window[...], at: origin, length: length)
            kind = .movie(reader)
            return result
        case .flac(var reader):
            let result = reader.step(window[...], at: origin, length: length)
            kind = .flac(reader)
            return result
        case .audio: return audio()
        case .wave: return SampleFiles.wave(window[...], at: origin, length: length, isAtEnd: isAtEnd)
        case .aiff: return SampleFiles.aiff(window[...], at: origin, length: length)
        case nil: return recognise()
        }
    }

    private mutating func recognise() -> Answer {
        guard window.count >= 16 || isAtEnd else { return .more }
        guard !window.isEmpty else { return .unusable("the file is empty") }
        if let size = ID3Size.read(window[...]) { return .jump(origin + Int64(size)) }
        func begins(_ text: String, at place: Int = 0) -> Bool {
            window.dropFirst(place).starts(with: Array(text.utf8))
        }
        if MP4Inspector.recognises(window[...]) {
            kind = .movie(MovieReader())
        } else if begins("fLaC") {
            kind = .flac(FLACReader(start: origin))
        } else if begins("RIFF") || begins("RF64"), begins("WAVE", at: 8) {
            kind = .wave
        } else if begins("FORM"), begins("AIF", at: 8) {
            kind = .aiff
        } else if let name = Self.foreign.first(where: { window.starts(with: $0.magic) })?.name {
            return .foreign("the file is \(name), not a supported media format")
        } else {
            kind = .audio
        }
        return step()
    }

    private static let foreign: [(magic: [UInt8], name: String)] = [
        ([0x1A, 0x45, 0xDF, 0xA3], "Matroska or WebM"), (Array("OggS".utf8), "Ogg"), (Array("RIFF".utf8), "AVI"),
        ([0x30, 0x26, 0xB2, 0x75], "ASF"), (Array("FLV".utf8), "Flash video"), (Array("#!AMR".utf8), "AMR"),
        ([0x00, 0x00, 0x01, 0xBA], "an MPEG program stream"), (Array("wvpk".utf8), "WavPack"),
        (Array("caff".utf8), "CAF"), (Array("MAC ".utf8), "Monkey's Audio"), (Array("<!".utf8), "a web page"),
        (Array("<html".utf8), "a web page"), (Array("<?xml".utf8), "XML"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), (Array("%PDF".utf8), "PDF"), (Array("PK\u{3}\u{4}".utf8), "ZIP"),
    ]
}

/// Returns the size of an ID3v2 tag by its ten-byte header.
enum ID3Size {
    /// The size of the whole tag; nil if no tag starts.
    static func read(_ bytes: ArraySlice<UInt8>) -> Int? {
        var reader = ByteReader(bytes)
        guard bytes.starts(with: Array("ID3".utf8)), reader.skip(5), let flags = reader.byte(),
            let digits = reader.slice(4), digits.allSatisfy({ $0 < 0x80 })
        else { return nil }
        return 10 + digits.reduce(0) { $0 << 7 | Int($1) } + (flags & 0x10 != 0 ? 10 : 0)
    }
}
