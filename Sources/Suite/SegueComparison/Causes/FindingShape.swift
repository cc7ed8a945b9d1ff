/// What is the same in findings of one cause: the message without its numbers, times and names of segments.
///
/// `sound 0.08 s late at segment 7` and `sound 1.2 s late at segment 12` are of one shape; so are two answers that did
/// not come, of whatever address. Digits within a word, such as `h264`, belong to it.
package struct FindingShape: Sendable, Equatable {
    /// A part of a message.
    enum Piece: Sendable, Equatable {
        /// What is the same in all messages of the shape.
        case words(String)
        /// A number as it is written.
        case number(String)
        /// A name: an address, a media file's, or a key of hexadecimal digits; with what is the same of it.
        case name(String, same: String)
    }

    /// How many characters of a message are looked at; two longer ones that begin alike are alike.
    static let most = 2000

    /// The message's parts, in their order.
    let pieces: [Piece]

    /// What is the same, as a text.
    package let key: String

    /// The shape of a finding.
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
    /// The shape of a finding, from its values where they make up its message.
    ///
    /// Other messages quote libav, servers and drivers, or come from reports of earlier versions: their numbers are
    /// found in the text.
    package init(_ finding: RecordedCase.Finding) {
        guard let range = finding.evidence.range, finding.evidence.sentence == finding.message else {
            self.init(rule: finding.rule, message: finding.message)
            return
        }
        let (before, between) = ("\(range.metric) is ", "\(range.unit), must be ")
        pieces = [
            .words(before), .number(range.measured), .words(between), .name(range.expected, same: "*"),
            .words(range.unit),
        ]
        key = "\(finding.rule): \(before)#\(between)*\(range.unit)"
    }
}

extension RecordedCase.Finding {
    /// The shape that all findings of the same cause share.
    package var shape: String { FindingShape(self).key }
}

/// Reads a message word by word.
private struct Reader {
    var pieces: [FindingShape.Piece] = []
    var key = ""
    /// Whether the word before was a number and nothing else, so that a plural after it says no more than it did.
    private var isAfterNumber = false

    /// Endings of media files, playlists, keys and what goes with them.
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

    /// What is the same of a name; nil where a word is none.
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
            // Digits that follow a letter are a part of the name, as in h264, but not those of 640x480.
            isInName = !hasNumber && (letter.properties.isAlphabetic || (isInName && ("0"..."9").contains(letter)))
            words.append(letter)
            rest = rest.dropFirst()
        }
        let isPlural = isAfterNumber && !hasNumber && words.count > 3 && words.last == "s"
        add(String(words))
        if isPlural { key.removeLast() }
        isAfterNumber = hasNumber && words.isEmpty
    }

    /// How many letters a number takes at the beginning of a word; 0 where none begins there.
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
