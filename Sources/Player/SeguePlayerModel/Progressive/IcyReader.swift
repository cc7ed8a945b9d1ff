/// Separates metadata from a SHOUTcast or Icecast stream: after a fixed number of audio bytes comes a byte with the
/// length of the metadata divided by 16, then the metadata, then audio again.
struct IcyReader: Sendable {
    /// The number of audio bytes between metadata.
    let interval: Int

    /// The last title; nil before the first.
    private(set) var title: String?

    private var audioLeft: Int
    private var textLeft = 0
    private var text: [UInt8] = []

    /// The maximum length of a title.
    private static let mostCharacters = 500

    /// A reader for the interval in `icy-metaint`; nil for a stream without metadata, if it is not a positive number.
    init?(interval: String?) {
        let digits = interval?.filter { $0 != " " } ?? ""
        guard let value = Int(digits), (1...Int(Int32.max)).contains(value) else { return nil }
        self.interval = value
        audioLeft = value
    }

    /// Adds bytes, and returns the audio in them, and the new titles.
    mutating func read(_ bytes: [UInt8]) -> (audio: [UInt8], titles: [String]) {
        var (audio, titles) = ([UInt8](), [String]())
        var rest = bytes[...]
        while let first = rest.first {
            if textLeft > 0 {
                let part = rest.prefix(textLeft)
                text += part
                textLeft -= part.count
                rest = rest.dropFirst(part.count)
                if textLeft == 0 { note(Self.title(in: text), &titles) }
            } else if audioLeft > 0 {
                let part = rest.prefix(audioLeft)
                audio += part
                audioLeft -= part.count
                rest = rest.dropFirst(part.count)
            } else {
                audioLeft = interval
                textLeft = Int(first) * 16
                text = []
                rest = rest.dropFirst()
            }
        }
        return (audio, titles)
    }

    private mutating func note(_ new: String?, _ titles: inout [String]) {
        text = []
        guard let new, new != title else { return }
        title = new
        titles.append(new)
    }

    /// Returns the title in a block of metadata, `StreamTitle='…';` padded with zeros.
    static func title(in block: [UInt8]) -> String? {
        let text = block.prefix { $0 != 0 }
        let mark = Array("StreamTitle=".utf8)
        guard
            let start = (text.startIndex..<max(text.startIndex, text.endIndex - mark.count + 1))
                .first(where: { text[$0...].starts(with: mark) })
        else { return nil }
        var value = text[(start + mark.count)...]
        if value.first == UInt8(ascii: "'") { value = value.dropFirst() }
        // Titles contain apostrophes, so only one before a semicolon ends a title. The last one may lack the semicolon.
        let end = value.indices.first {
            value[$0] == 0x27 && value.index(after: $0) < value.endIndex && value[$0 + 1] == 0x3B
        }
        if let end {
            value = value[..<end]
        } else if let last = value.last {
            if last == UInt8(ascii: ";") { value = value.dropLast() }
            if value.last == UInt8(ascii: "'") { value = value.dropLast() }
        }
        let characters = decode(value).unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String(String.UnicodeScalarView(characters)).prefix(mostCharacters))
    }

    /// Decodes UTF-8, or else Windows-1252, which servers pass on from the tags of their sources.
    private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        // The Encoding Standard's index of 0x80 to 0x9F. Bytes without an entry represent themselves.
        let high: [UInt32] = [
            0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
            0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
            0x0153, 0x9D, 0x017E, 0x0178,
        ]
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let value = (0x80...0x9F).contains(byte) ? high[Int(byte) - 0x80] : UInt32(byte)
            text.append(Unicode.Scalar(value) ?? " ")
        }
        return String(text)
    }
}
