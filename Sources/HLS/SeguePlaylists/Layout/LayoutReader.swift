internal import SegueContainers

/// Finds out where in a media file which time is, from as few of its bytes as it can.
///
/// It is handed bytes in order and says which it wants next. Any bytes are safe; what it holds is bounded.
package struct LayoutReader: Sendable {
    /// What it makes of the bytes so far.
    package enum Answer: Sendable, Equatable {
        /// The bytes that follow are needed.
        case more
        /// The bytes from an offset on are needed.
        case jump(Int64)
        /// All is known.
        case found(MediaLayout)
        /// It is sound without an announced end: frames of a codec, beginning at an offset.
        case endless(codec: String, start: Int64)
        /// It cannot be played, and why.
        case unusable(String)
    }

    /// The most bytes that are held: the movie box of a film of many hours.
    static let mostHeld = 64 << 20

    /// Where no file goes on, whatever its boxes and its server say; so far from the last number that sums fit.
    private static let farthest = Int64(1) << 60

    /// How many bytes of frames are looked at where only they tell the bit rate.
    static let soundSample = 64 << 10

    /// How many bytes that are no sound may stand before the first frame.
    static let mostJunk = 256 << 10

    /// The whole file's length; nil where the server does not tell.
    package let length: Int64?

    /// What is held, without a gap.
    var window: [UInt8] = []

    /// Where in the file the window begins.
    var origin: Int64 = 0

    /// Whether nothing follows.
    var isAtEnd = false

    private var kind: Kind?
    private var answer = Answer.more

    enum Kind: Sendable {
        case movie(MovieReader)
        case sound
        case wave
        case aiff
        case flac(FLACReader)
    }

    /// A reader of a file.
    ///
    /// - Parameter length: How many bytes it has; nil where that is not known.
    package init(length: Int64?) { self.length = length }

    /// The offset of the byte that is to be handed in next.
    package var next: Int64 { origin + Int64(window.count) }

    /// What is held from an offset on.
    package func bytes(from offset: Int64) -> ArraySlice<UInt8> {
        window[Int(min(max(0, offset - origin), next - origin))...]
    }

    /// Takes in the bytes from ``next`` on.
    package mutating func take(_ bytes: some Collection<UInt8>) -> Answer {
        window += bytes
        isAtEnd = length.map { next >= $0 } ?? false
        return look()
    }

    /// Nothing follows.
    package mutating func finish() -> Answer {
        isAtEnd = true
        return look()
    }

    private mutating func look() -> Answer {
        guard answer == .more else { return answer }
        var result = step()
        if case .jump(let offset) = result {
            if offset < 0 || offset >= length ?? Self.farthest || offset >= Self.farthest {
                let end = length.map { "it has only \($0)" } ?? "no file is as large"
                result = .unusable("it says that it goes on at byte \(offset), but \(end)")
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
        if result == .more, isAtEnd { result = .unusable("it ends before it says what is in it") }
        if result == .more, window.count > Self.mostHeld {
            result = .unusable("nothing in its first \(Self.mostHeld) bytes says what is in it")
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
        case .sound: return sound()
        case .wave: return SampleFiles.wave(window[...], at: origin, length: length, isAtEnd: isAtEnd)
        case .aiff: return SampleFiles.aiff(window[...], at: origin, length: length)
        case nil: return recognise()
        }
    }

    private mutating func recognise() -> Answer {
        guard window.count >= 16 || isAtEnd else { return .more }
        guard !window.isEmpty else { return .unusable("it is empty") }
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
            return .unusable("it is \(name), which is not played as a file")
        } else {
            kind = .sound
        }
        return step()
    }

    private static let foreign: [(magic: [UInt8], name: String)] = [
        ([0x1A, 0x45, 0xDF, 0xA3], "Matroska or WebM"), (Array("OggS".utf8), "Ogg"), (Array("RIFF".utf8), "AVI"),
        ([0x30, 0x26, 0xB2, 0x75], "ASF"), (Array("FLV".utf8), "Flash video"), (Array("#!AMR".utf8), "AMR"),
        ([0x00, 0x00, 0x01, 0xBA], "an MPEG program stream"), (Array("wvpk".utf8), "WavPack"),
        (Array("caff".utf8), "CAF"), (Array("MAC ".utf8), "Monkey's Audio"), (Array("<!".utf8), "a web page"),
        (Array("<html".utf8), "a web page"), (Array("<?xml".utf8), "XML"), ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"), (Array("%PDF".utf8), "PDF"), (Array("PK\u{3}\u{4}".utf8), "ZIP"),
    ]
}

/// The size of an ID3v2 tag, by its header of ten bytes.
enum ID3Size {
    /// The whole tag's size; nil where no tag begins.
    static func read(_ bytes: ArraySlice<UInt8>) -> Int? {
        var reader = ByteReader(bytes)
        guard bytes.starts(with: Array("ID3".utf8)), reader.skip(5), let flags = reader.byte(),
            let digits = reader.slice(4), digits.allSatisfy({ $0 < 0x80 })
        else { return nil }
        return 10 + digits.reduce(0) { $0 << 7 | Int($1) } + (flags & 0x10 != 0 ? 10 : 0)
    }
}
