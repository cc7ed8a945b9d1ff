internal import SegueBase

/// A subtitle cue.
struct Cue: Sendable, Hashable {
    /// The start, in seconds from the plan's start.
    var start: Rational
    /// The end, in seconds from the plan's start.
    var end: Rational
    /// The WebVTT text: escaped, with supported tags, without empty lines.
    var text: String
    /// The WebVTT cue settings; empty for the defaults.
    var settings = ""
}

/// The cues of a subtitle stream or file.
struct CueSheet: Sendable, Hashable {
    /// The cues, sorted by start.
    var cues: [Cue] = []
    /// The STYLE and REGION blocks of a WebVTT file, without empty lines.
    var blocks: [String] = []
}

/// A converter of Advanced SubStation Alpha text to WebVTT.
///
/// Italics, bold, and underline become tags; other override codes are dropped. `<`, `>`, and `&` are escaped, so the
/// source cannot inject tags or timings.
struct CueText {
    /// The text; empty if nothing is visible.
    private(set) var text = ""
    /// The cue settings; empty for the default position, at the bottom.
    private(set) var settings = ""
    /// The open tags, the outermost first.
    private var open: [Character] = []
    private var wanted: [Character] = []
    /// True inside drawing commands.
    private var isDrawing = false

    /// Converts text with override codes.
    init(_ source: String) {
        var rest = source[...]
        while let character = rest.first {
            rest = rest.dropFirst()
            switch character {
            case "{":
                // An unclosed brace is literal.
                if let end = rest.firstIndex(of: "}") {
                    for code in rest[..<end].split(separator: "\\") { override(code) }
                    closeUnwanted()
                    rest = rest[rest.index(after: end)...]
                } else {
                    write("{")
                }
            case "\\":
                switch rest.first {
                case "N", "n":
                    breakLine()
                    rest = rest.dropFirst()
                case "h":
                    write("\u{a0}")
                    rest = rest.dropFirst()
                default: write("\\")
                }
            case "\n", "\r\n", "\r": breakLine()
            case "&": write("&amp;")
            case "<": write("&lt;")
            case ">": write("&gt;")
            case "\u{0}"..."\u{1f}", "\u{7f}": write(" ")
            default: write(String(character))
            }
        }
        close()
        tidy()
    }

    private mutating func override(_ code: Substring) {
        guard let tag = code.first else { return }
        if code.hasPrefix("an"), let place = Int(code.dropFirst(2)) {
            // The first alignment of a text counts.
            if settings.isEmpty { settings = Self.settings(place) }
            return
        }
        let number = Int(code.dropFirst())
        switch tag {
        case "i", "u":
            if let number { want(tag, number != 0) }
        case "b":
            // Values above 1 are font weights.
            if let number { want(tag, number == 1 || number >= 600) }
        case "r": wanted = []
        case "p":
            if let number { isDrawing = number > 0 }
        default: break
        }
    }

    /// The cue settings of an alignment, numbered as on a numeric keypad.
    private static func settings(_ place: Int) -> String {
        guard (1...9).contains(place) else { return "" }
        let line = ["", "line:50%", "line:0"][(place - 1) / 3]
        let side = ["position:0% align:start", "", "position:100% align:end"][(place - 1) % 3]
        return [line, side].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private mutating func want(_ tag: Character, _ isOn: Bool) {
        wanted.removeAll { $0 == tag }
        if isOn { wanted.append(tag) }
    }

    private mutating func write(_ words: String) {
        guard !isDrawing else { return }
        for tag in wanted[open.count...] { text += "<\(tag)>" }
        open = wanted
        text += words
    }

    /// Closes unwanted tags and all tags nested in them.
    private mutating func closeUnwanted() {
        let kept = zip(open, wanted).prefix { $0 == $1 }.count
        for tag in open[kept...].reversed() { text += "</\(tag)>" }
        open.removeSubrange(kept...)
    }

    private mutating func breakLine() {
        if !isDrawing { text += "\n" }
    }

    private mutating func close() {
        for tag in open.reversed() { text += "</\(tag)>" }
        open = []
    }

    /// Removes empty lines, which would end the cue, and trims lines.
    private mutating func tidy() {
        let lines = text.split(separator: "\n").map { line in
            String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        // Text with only tags is empty.
        var plain = text
        for tag in ["<i>", "</i>", "<b>", "</b>", "<u>", "</u>"] { plain = plain.replacing(tag, with: "") }
        if plain.allSatisfy({ $0.isWhitespace || $0 == "\u{a0}" }) { text = "" }
    }
}
