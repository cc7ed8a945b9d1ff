/// The text of another program, whose values are recognized word by word.
///
/// Segue keeps the values of its own messages. libav, libcurl, servers, and drivers of real players only give text, in
/// which `audio 0.08 s late at segment 7` and `audio 1.2 s late at segment 12` are one fact. Digits within a word, as
/// in `h264`, belong to the word.
struct QuotedText {
    private var message = Message()

    /// The number of characters that are read; the rest becomes one value.
    private static let most = 2000

    /// The message with the text.
    static func message(_ text: String) -> Message {
        var reader = QuotedText()
        let letters = text.unicodeScalars
        let rest = letters.dropFirst(most)
        var word: [Unicode.Scalar] = []
        for letter in letters.prefix(most) {
            if letter == " " {
                reader.read(word[...])
                reader.add(" ")
                word.removeAll(keepingCapacity: true)
            } else {
                word.append(letter)
            }
        }
        reader.read(word[...])
        if !rest.isEmpty { reader.message.append(.value(String(rest))) }
        return reader.message
    }

    /// The extensions of media files, playlists, keys, and related files.
    private static let endings: Set<String> = [
        "ts", "m2ts", "m4s", "mp4", "m4v", "m4a", "m4f", "cmfv", "cmfa", "cmft", "mov", "3gp", "aac", "ac3", "ec3",
        "mp3",
        "ogg", "opus", "oga", "ogv", "webm", "mkv", "mka", "flac", "wav", "avi", "flv", "mpg", "mpeg", "vtt", "webvtt",
        "ttml", "srt", "m3u8", "m3u", "mpd", "ism", "isml", "key", "jpg", "jpeg", "png", "webp",
    ]

    private mutating func add(_ words: String) { message.append(.words(words)) }

    private mutating func read(_ word: ArraySlice<Unicode.Scalar>) {
        let around = "\"'“”‘’«»()[]{}<>,;:!?".unicodeScalars
        let start = word.firstIndex { !around.contains($0) } ?? word.endIndex
        let end = word[start...].lastIndex { !around.contains($0) && $0 != "." }.map { $0 + 1 } ?? start
        add(String(word[..<start]))
        let core = word[start..<end]
        if Self.common(ofName: core) != nil {
            message.append(.value(String(core)))
        } else {
            readNumbers(core)
        }
        add(String(word[end...]))
    }

    /// The common part of an address, the name of a media file, or a hexadecimal key; nil for other words.
    static func common(ofName name: String) -> String? {
        name.unicodeScalars.count <= most ? common(ofName: Array(name.unicodeScalars)[...]) : nil
    }

    private static func common(ofName word: ArraySlice<Unicode.Scalar>) -> String? {
        let text = String(word)
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
        if endings.contains(ending), path.count > ending.count + 1 { return "*.\(ending)" }
        if text.contains("://") { return "*" }
        let digits = text.hasPrefix("0x") ? word.dropFirst(2) : word
        guard digits.count >= 8 || (digits.count > 0 && digits.count < word.count) else { return nil }
        let isKey = digits.allSatisfy { $0.properties.isASCIIHexDigit || $0 == "-" }
        let hasBoth =
            digits.contains { ("0"..."9").contains($0) }
            && (digits.count < word.count || digits.contains { $0.properties.isAlphabetic })
        return isKey && hasBoth ? "*" : nil
    }

    private mutating func readNumbers(_ word: ArraySlice<Unicode.Scalar>) {
        var rest = word
        var words: [Unicode.Scalar] = []
        var (hasNumber, isInName) = (false, false)
        while let letter = rest.first {
            let length = isInName ? 0 : Self.length(ofNumber: rest, isSigned: rest.startIndex == word.startIndex)
            if length > 0 {
                add(String(words))
                words.removeAll()
                add(number: String(rest.prefix(length)))
                hasNumber = true
                rest = rest.dropFirst(length)
                continue
            }
            // Digits after a letter belong to the name, as in h264, but not those of 640x480.
            isInName = !hasNumber && (letter.properties.isAlphabetic || (isInName && ("0"..."9").contains(letter)))
            words.append(letter)
            rest = rest.dropFirst()
        }
        add(String(words))
    }

    private mutating func add(number text: String) {
        let number = Double(text.hasPrefix("−") ? "-" + text.dropFirst() : text)
        message.append(number ?? .nan, text: text)
    }

    /// The length of the number at the beginning of a word; 0 without one.
    private static func length(ofNumber word: ArraySlice<Unicode.Scalar>, isSigned: Bool) -> Int {
        func isDigit(_ index: Int) -> Bool { index < word.endIndex && ("0"..."9").contains(word[index]) }
        var end = word.startIndex
        if isSigned, word.first == "-" || word.first == "+" || word.first == "−" { end += 1 }
        guard isDigit(end) else { return 0 }
        func takeDigits() { while isDigit(end) { end += 1 } }
        takeDigits()
        while end < word.endIndex, word[end] == ".", isDigit(end + 1) {
            end += 1
            takeDigits()
        }
        if end < word.endIndex, word[end] == "e" || word[end] == "E" {
            let sign = end + 1 < word.endIndex && (word[end + 1] == "-" || word[end + 1] == "+") ? 1 : 0
            if isDigit(end + 1 + sign) {
                end += 1 + sign
                takeDigits()
            }
        }
        return end - word.startIndex
    }
}

extension String {
    fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
