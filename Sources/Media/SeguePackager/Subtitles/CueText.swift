internal import SegueBase

/// A converter of Advanced SubStation Alpha text to WebVTT.
///
/// Bold, italics, underline, and colors become tags, alignment and position become cue settings; other override codes
/// are dropped. `<`, `>`, and `&` are escaped, so the source cannot inject tags or timings.
struct CueText {
    /// The text; empty if nothing is visible.
    private(set) var text = ""
    /// The cue settings; empty for the default position, at the bottom.
    private(set) var settings = ""
    /// The colors in the text.
    private(set) var colours: Set<CueColour> = []

    private let style: CueStyle
    /// The open tags, the outermost first.
    private var open: [Tag] = []
    private var wanted: [Tag] = []
    /// True inside drawing commands.
    private var isDrawing = false
    private var isVisible = false
    private var alignment: Int?
    /// The position of the anchor, in pixels of the canvas.
    private var position: (x: Double, y: Double)?

    private enum Tag: Hashable {
        case bold, italic, underline
        case colour(CueColour)

        var start: String {
            switch self {
            case .bold: "<b>"
            case .italic: "<i>"
            case .underline: "<u>"
            case .colour(let colour): "<c.\(colour.className)>"
            }
        }

        var end: String {
            switch self {
            case .bold: "</b>"
            case .italic: "</i>"
            case .underline: "</u>"
            case .colour: "</c>"
            }
        }
    }

    /// Converts the text of an event.
    ///
    /// - Parameters:
    ///   - source: The text with its override codes in braces.
    ///   - style: The style of the event.
    ///   - canvas: The size for positions, in pixels.
    init(
        _ source: String,
        style: CueStyle = CueStyle(),
        canvas: (width: Double, height: Double) = SubtitleStyles().canvas
    ) {
        self.style = style
        reset()
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
        settings = Self.settings(alignment ?? style.alignment, position, on: canvas)
    }

    private mutating func override(_ code: Substring) {
        guard let tag = code.first else { return }
        if code.hasPrefix("an"), let place = Int(code.dropFirst(2)) {
            // The first alignment of a text counts.
            if alignment == nil, (1...9).contains(place) { alignment = place }
            return
        }
        if code.hasPrefix("pos("), position == nil { position = Self.point(code.dropFirst(4)) }
        for name in ["1c", "c"] where code.hasPrefix(name) && (code == name || code.dropFirst(name.count).first == "&")
        {
            let value = code.dropFirst(name.count)
            colour(value.isEmpty ? style.colour : CueColour(value))
            return
        }
        let number = Int(code.dropFirst())
        switch tag {
        case "i": if let number { want(.italic, number != 0) }
        case "u": if let number { want(.underline, number != 0) }
        case "b":
            // Values above 1 are font weights.
            if let number { want(.bold, number == 1 || number >= 600) }
        case "r": reset()
        case "p": if let number { isDrawing = number > 0 }
        default: break
        }
    }

    /// The coordinates before a parenthesis.
    private static func point(_ words: Substring) -> (x: Double, y: Double)? {
        let parts = words.prefix { $0 != ")" }.split(separator: ",").map { Double($0.filter { $0 != " " }) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else { return nil }
        return (x, y)
    }

    /// The cue settings of an alignment, numbered as on a numeric keypad, and of an anchor's position.
    private static func settings(
        _ place: Int,
        _ position: (x: Double, y: Double)?,
        on canvas: (width: Double, height: Double)
    ) -> String {
        guard (1...9).contains(place) else { return "" }
        let (row, column) = ((place - 1) / 3, (place - 1) % 3)
        let align = ["align:start", "", "align:end"][column]
        var words: [String]
        if let position {
            let percent = { (part: Double) in Int(max(0, min(100, (100 * part).rounded()))) }
            let (across, down) = (percent(position.x / canvas.width), percent(position.y / canvas.height))
            words = ["line:\(down)%\([",end", ",center", ""][row])", "position:\(across)%", align]
        } else {
            words = [["", "line:50%", "line:0"][row], ["position:0%", "", "position:100%"][column], align]
        }
        words.removeAll(where: \.isEmpty)
        return words.joined(separator: " ")
    }

    /// Returns to the style of the event.
    private mutating func reset() {
        wanted = []
        if style.isBold { wanted.append(.bold) }
        if style.isItalic { wanted.append(.italic) }
        if style.isUnderlined { wanted.append(.underline) }
        colour(style.colour)
    }

    private mutating func colour(_ colour: CueColour?) {
        wanted.removeAll { if case .colour = $0 { true } else { false } }
        if let colour { wanted.append(.colour(colour)) }
    }

    private mutating func want(_ tag: Tag, _ isOn: Bool) {
        wanted.removeAll { $0 == tag }
        if isOn { wanted.append(tag) }
    }

    private mutating func write(_ words: String) {
        guard !isDrawing else { return }
        closeUnwanted()
        for tag in wanted[open.count...] {
            text += tag.start
            if case .colour(let colour) = tag { colours.insert(colour) }
        }
        open = wanted
        text += words
        isVisible = isVisible || !words.allSatisfy { $0.isWhitespace || $0 == "\u{a0}" }
    }

    /// Closes unwanted tags and all tags nested in them.
    private mutating func closeUnwanted() {
        let kept = zip(open, wanted).prefix { $0 == $1 }.count
        for tag in open[kept...].reversed() { text += tag.end }
        open.removeSubrange(kept...)
    }

    private mutating func breakLine() {
        if !isDrawing { text += "\n" }
    }

    private mutating func close() {
        for tag in open.reversed() { text += tag.end }
        open = []
    }

    /// Removes empty lines, which would end the cue, and trims lines.
    private mutating func tidy() {
        let lines = text.split(separator: "\n").map { line in
            String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        text = isVisible ? lines.filter { !$0.isEmpty }.joined(separator: "\n") : ""
    }
}
