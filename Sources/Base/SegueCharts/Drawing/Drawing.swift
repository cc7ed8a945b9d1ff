internal import SegueBase

/// An SVG drawing under construction, with the text metrics that layout needs.
package struct Drawing {
    package private(set) var body = ""

    /// The elements on top of all others: labels that event lines must not cross.
    package private(set) var over = ""

    package init() {}

    /// Returns the self-contained SVG document.
    package func document(
        title: String,
        width: Double,
        height: Double,
        style: String,
        kind: String? = nil
    ) -> String {
        let (width, height) = (Int(width), Int(height))
        let look = kind.map { " class=\"\($0)\"" } ?? ""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
            height="\(height)" role="img"\(look)><title>\(MarkupText.escaped(title))</title><style>\(style)</style>\
            <rect width="100%" height="100%" class="page"/>\(body)\(over)</svg>
            """
    }

    package mutating func rect(
        x: Double,
        y: Double,
        width: Double,
        height: Double,
        _ kind: String,
        round: Double = 0
    ) {
        let corner = round > 0 ? " rx=\"\(Drawing.short(round))\"" : ""
        body += "<rect x=\"\(Drawing.short(x))\" y=\"\(Drawing.short(y))\" width=\"\(Drawing.short(max(0, width)))\""
        body += " height=\"\(Drawing.short(max(0, height)))\"\(corner) class=\"\(kind)\"/>"
    }

    /// A striped rectangle, which stands out without color.
    ///
    /// The stripes are plain lines: a pattern would need an id that is unique in the page.
    package mutating func hatching(x: Double, y: Double, width: Double, height: Double, _ kind: String) {
        rect(x: x, y: y, width: width, height: height, kind)
        let distance = 11.3
        var data = ""
        var start = (x / distance).rounded(.down) * distance - height
        while start < x + width {
            // Each stripe rises to the right and is clipped to the rectangle.
            let from = max(start, x)
            let to = min(start + height, x + width)
            if to - from > 0.5 {
                data += "M\(Drawing.short(from)) \(Drawing.short(y + height - (from - start)))"
                data += "L\(Drawing.short(to)) \(Drawing.short(y + height - (to - start)))"
            }
            start += distance
        }
        if !data.isEmpty { path(data, "\(kind)-stripes") }
    }

    package mutating func line(x: Double, y: Double, toX x2: Double, toY y2: Double, _ kind: String) {
        path("M\(Drawing.short(x)) \(Drawing.short(y))L\(Drawing.short(x2)) \(Drawing.short(y2))", kind)
    }

    package mutating func path(_ data: String, _ kind: String) { body += "<path d=\"\(data)\" class=\"\(kind)\"/>" }

    package mutating func circle(x: Double, y: Double, radius: Double, _ kind: String) {
        body += "<circle cx=\"\(Drawing.short(x))\" cy=\"\(Drawing.short(y))\" r=\"\(Drawing.short(radius))\""
        body += " class=\"\(kind)\"/>"
    }

    /// Text; `kind` may contain `mid` or `end` for its anchor.
    package mutating func text(x: Double, y: Double, _ words: String, _ kind: String = "") {
        guard !words.isEmpty else { return }
        let name = kind.isEmpty ? "" : " class=\"\(kind)\""
        body += "<text x=\"\(Drawing.short(x))\" y=\"\(Drawing.short(y))\"\(name)>\(MarkupText.escaped(words))</text>"
    }

    /// Text on a background of its own, over everything drawn there.
    package mutating func label(
        x: Double,
        y: Double,
        height: Double,
        _ words: String,
        ground: String,
        _ kind: String
    ) {
        var piece = Drawing()
        piece.rect(x: x + 2, y: y + 1, width: Drawing.width(of: words, size: 11) + 4, height: height - 2, ground)
        piece.text(x: x + 4, y: y + height / 2 + 4, words, kind)
        over += piece.body
    }

    /// The path data of a line through points.
    package static func polyline(_ points: [(x: Double, y: Double)]) -> String {
        var data = ""
        for (index, point) in points.enumerated() {
            data += "\(index == 0 ? "M" : "L")\(short(point.x)) \(short(point.y))"
        }
        return data
    }

    // MARK: Words

    /// The upper bound of a text's width, in pixels, by the metrics of DejaVu Sans, which is wider than most fonts.
    package static func width(of words: String, size: Double) -> Double {
        words.unicodeScalars.reduce(0) { sum, letter in
            let share: Double =
                switch letter {
                case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", "!", " ": 0.34
                case "f", "r", "t", "(", ")", "[", "]", "-", "/": 0.42
                case "m", "w", "M", "W", "@", "%": 0.98
                case "A"..."Z", "…": 0.74
                default: 0.64
                }
            return sum + share * size
        }
    }

    /// Text cut to a width, with an ellipsis where it is cut.
    package static func cut(_ words: String, to room: Double, size: Double) -> String {
        guard width(of: words, size: size) > room else { return words }
        var kept = words
        while !kept.isEmpty, width(of: kept + "…", size: size) > room { kept.removeLast() }
        return kept.isEmpty ? "" : kept + "…"
    }

    /// Text wrapped to a width; the last line is cut if there are too many.
    package static func lines(_ words: String, width room: Double, size: Double, most: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words.split(separator: " ", omittingEmptySubsequences: true) {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if line.isEmpty || width(of: longer, size: size) <= room {
                line = longer
            } else if lines.count + 1 == most {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        lines.append(line)
        return lines.map { cut($0, to: room, size: size) }
    }

    /// Text without a background, for an empty place.
    package mutating func note(x: Double, y: Double, _ words: String, _ kind: String) {
        var piece = Drawing()
        piece.text(x: x, y: y, words, kind)
        over += piece.body
    }

    /// A number with at most one decimal, as coordinates are written.
    package static func short(_ value: Double) -> String { DecimalText.short(value, places: 1) }
}
