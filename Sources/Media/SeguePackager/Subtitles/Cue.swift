internal import SegueBase

/// A text that is shown for a while.
struct Cue: Sendable, Hashable {
    /// When it appears, in seconds from the start of the plan.
    var start: Rational
    /// When it goes.
    var end: Rational
    /// The text as WebVTT writes it: escaped, with tags that WebVTT knows, and no empty line.
    var text: String
}

/// The text of a cue, made from what the Advanced SubStation Alpha format writes.
///
/// Of its override codes italics, bold and underlining have a tag in WebVTT; all others are left out. `<`, `>` and `&`
/// are escaped, so that nothing in the source can be taken for a tag or a time.
struct CueText {
    /// The text; empty where nothing is to be read.
    private(set) var text = ""
    /// The tags that are open, the outermost first.
    private var open: [Character] = []
    private var wanted: [Character] = []
    /// True if what follows are the lines of a drawing.
    private var isDrawing = false

    /// Makes the text.
    ///
    /// - Parameter source: The text with its override codes.
    init(_ source: String) {
        var rest = source[...]
        while let character = rest.first {
            rest = rest.dropFirst()
            switch character {
            case "{":
                // A brace that is never closed is a brace.
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
        let number = Int(code.dropFirst())
        switch tag {
        case "i", "u":
            if let number { want(tag, number != 0) }
        case "b":
            // Above 1 it is a weight.
            if let number { want(tag, number == 1 || number >= 600) }
        case "r": wanted = []
        case "p":
            if let number { isDrawing = number > 0 }
        default: break
        }
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

    /// Closes what is no longer wanted, and all that was opened after it, as tags nest.
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

    /// Takes out empty lines, which would end the cue, and spaces around lines.
    private mutating func tidy() {
        let lines = text.split(separator: "\n").map { line in
            String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        // Tags around nothing are nothing to read.
        var plain = text
        for tag in ["<i>", "</i>", "<b>", "</b>", "<u>", "</u>"] { plain = plain.replacing(tag, with: "") }
        if plain.allSatisfy({ $0.isWhitespace || $0 == "\u{a0}" }) { text = "" }
    }
}
