internal import Foundation

/// The appearance of a style of Advanced SubStation Alpha, as far as WebVTT has it.
struct CueStyle: Sendable, Hashable {
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var colour: CueColour?
    /// The alignment, numbered as on a numeric keypad.
    var alignment = 2
}

/// A text color other than the default, which is white.
struct CueColour: Sendable, Hashable, Comparable {
    /// The color as `0xRRGGBB`.
    let value: Int

    /// The class of WebVTT tags.
    var className: String { "rgb" + hexadecimal }
    /// The rule for a STYLE block.
    var rule: String { "::cue(.\(className)) { color: #\(hexadecimal) }" }

    private var hexadecimal: String { String(format: "%06x", value) }

    /// The least component that is legible on the black background of WebVTT cues (choice).
    private static let legible = 64

    /// Parses a color: `&HAABBGGRR&`, also shorter, or a decimal number; nil for white and for colors that are
    /// illegible on black.
    init?(_ text: some StringProtocol) {
        let text = text.uppercased().trimmingCharacters(in: CharacterSet(charactersIn: "& "))
        let number = text.hasPrefix("H") ? Int64(text.dropFirst(), radix: 16) : Int64(text)
        guard let number else { return nil }
        let (blue, green, red) = (Int(number >> 16 & 255), Int(number >> 8 & 255), Int(number & 255))
        guard max(red, green, blue) >= Self.legible, min(red, green, blue) < 255 else { return nil }
        value = red << 16 | green << 8 | blue
    }

    static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// The styles in the header of Advanced SubStation Alpha.
struct SubtitleStyles {
    /// The size of the canvas for positions, in pixels; the default is libav's for other text formats.
    private(set) var canvas = (width: 384.0, height: 288.0)
    private var styles: [String: CueStyle] = [:]

    /// The maximum number of styles.
    private static let greatestCount = 1000

    init(header: String = "") {
        var isOld = false
        var fields: [String] = []
        for line in header.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("[") { isOld = line.lowercased().hasPrefix("[v4 styles") }
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            switch line[..<colon].lowercased() {
            case "playresx": if let width = Double(value), width >= 1 { canvas.width = width }
            case "playresy": if let height = Double(value), height >= 1 { canvas.height = height }
            case "format": fields = Self.values(value).map { $0.lowercased() }
            case "style" where styles.count < Self.greatestCount:
                let pairs = zip(fields, Self.values(value)).map { ($0, $1) }
                let values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
                if let name = values["name"] { styles[name] = Self.style(values, isOld: isOld) }
            default: break
            }
        }
    }

    /// The style with a name, or else the default one.
    subscript(name: String) -> CueStyle {
        let plain = name.trimmingCharacters(in: CharacterSet(charactersIn: "* "))
        return styles[plain] ?? styles["Default"] ?? CueStyle()
    }

    private static func values(_ line: String) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func style(_ values: [String: String], isOld: Bool) -> CueStyle {
        let isOn = { (name: String) in values[name].flatMap { Int($0) }.map { $0 != 0 } ?? false }
        var style = CueStyle(isBold: isOn("bold"), isItalic: isOn("italic"), isUnderlined: isOn("underline"))
        style.colour = values["primarycolour"].flatMap { CueColour($0) }
        if let alignment = values["alignment"].flatMap({ Int($0) }) {
            style.alignment = isOld ? keypad(alignment) : alignment
        }
        return style
    }

    /// The keypad number of an alignment of SubStation Alpha 4: 1 to 3 from the left, plus 4 at the top and 8 in the
    /// middle.
    private static func keypad(_ alignment: Int) -> Int {
        switch alignment {
        case 5...7: alignment + 2
        case 9...11: alignment - 5
        default: alignment
        }
    }
}
