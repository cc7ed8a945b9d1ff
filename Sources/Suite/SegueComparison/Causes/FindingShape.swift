/// The common form of findings with one cause: the message without numbers, times, and names.
///
/// `audio 0.08 s late at segment 7` and `audio 1.2 s late at segment 12` have one shape, and so have missing responses
/// of any address. Digits within a word, as in `h264`, belong to the word.
package struct FindingShape: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        /// Text that all messages of the shape share.
        case words(String)
        case number(String)
        /// An address, the name of a media file, or a hexadecimal key, with the part that all of them share.
        case name(String, same: String)
    }

    /// The number of characters that are compared; longer messages with the same beginning have the same shape.
    static let most = 2000

    let pieces: [Piece]

    /// The common text.
    package let key: String

    private init(pieces: [Piece], key: String) { (self.pieces, self.key) = (pieces, key) }

    /// The shape of a message.
    package init(rule: String, message: String) {
        var reader = Reader()
        var word: [Unicode.Scalar] = []
        for letter in message.unicodeScalars.prefix(Self.most) {
            if letter == " " {
                reader.read(word[...])
                reader.add(" ")
                word.removeAll(keepingCapacity: true)
            } else {
                word.append(letter)
            }
        }
        reader.read(word[...])
        pieces = reader.pieces
        key = "\(rule): \(reader.key)"
    }
}

extension FindingShape {
    /// The shape of a finding: taken from its values if they make up the whole message.
    ///
    /// Other messages quote libav, servers, and drivers, or come from reports of earlier versions. Their numbers are
    /// recognized in the text.
    package init(_ finding: RecordedCase.Finding) {
        guard let range = finding.evidence.range, finding.evidence.sentence == finding.message else {
            self.init(rule: finding.rule, message: finding.message)
            return
        }
        let (before, between) = ("\(range.metric) is ", "\(range.unit), must be ")
        self.init(
            pieces: [
                .words(before), .number(range.measured), .words(between), .name(range.expected, same: "*"),
                .words(range.unit),
            ],
            key: "\(finding.rule): \(before)#\(between)*\(range.unit)"
        )
    }
}

extension RecordedCase.Finding {
    package var shape: String { FindingShape(self).key }
}

/// Splits a message into pieces, word by word.
private struct Reader {
    var pieces: [FindingShape.Piece] = []
    var key = ""
    /// True if the previous word was a plain number, so that the plural of the next word is part of it.
    private var isAfterNumber = false

    /// The extensions of media files, playlists, keys, and related files.
    private static let endings: Set<String> = [
        "ts", "m2ts", "m4s", "mp4", "m4v", "m4a", "m4f", "cmfv", "cmfa", "cmft", "mov", "3gp", "aac", "ac3", "ec3",
        "mp3",
        "ogg", "opus", "oga", "ogv", "webm", "mkv", "mka", "flac", "wav", "avi", "flv", "mpg", "mpeg", "vtt", "webvtt",
        "ttml", "srt", "m3u8", "m3u", "mpd", "ism", "isml", "key", "jpg", "jpeg", "png", "webp",
    ]

    mutating func add(_ words: String) {
        key += words
        if case .words(let before)? = pieces.last {
            pieces[pieces.count - 1] = .words(before + words)
        } else if !words.isEmpty {
            pieces.append(.words(words))
        }
    }

    mutating func read(_ word: ArraySlice<Unicode.Scalar>) {
        let around = "\"'“”‘’«»()[]{}<>,;:!?".unicodeScalars
        let start = word.firstIndex { !around.contains($0) } ?? word.endIndex
        let end = word[start...].lastIndex { !around.contains($0) && $0 != "." }.map { $0 + 1 } ?? start
        add(String(word[..<start]))
        let core = word[start..<end]
        if let same = Self.same(ofName: core) {
            pieces.append(.name(String(core), same: same))
            key += same
            isAfterNumber = false
        } else {
            readNumbers(core)
        }
        add(String(word[end...]))
    }

    /// The common part of a name; nil for a word that is not a name.
    private static func same(ofName word: ArraySlice<Unicode.Scalar>) -> String? {
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
                pieces.append(.number(String(rest.prefix(length))))
                key += "#"
                hasNumber = true
                rest = rest.dropFirst(length)
                continue
            }
            // Digits after a letter belong to the name, as in h264, but not those of 640x480.
            isInName = !hasNumber && (letter.properties.isAlphabetic || (isInName && ("0"..."9").contains(letter)))
            words.append(letter)
            rest = rest.dropFirst()
        }
        let isPlural = isAfterNumber && !hasNumber && words.count > 3 && words.last == "s"
        add(String(words))
        if isPlural { key.removeLast() }
        isAfterNumber = hasNumber && words.isEmpty
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
