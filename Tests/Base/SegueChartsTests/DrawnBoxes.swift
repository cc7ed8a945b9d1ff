internal import Foundation
internal import FoundationXML

/// The areas of a drawing's elements, read from its SVG.
final class DrawnBoxes: NSObject, XMLParserDelegate {
    struct Box {
        var words = ""
        let kind: String
        var left: Double
        let top: Double
        var right: Double
        let bottom: Double

        /// Whether two boxes overlap by more than a rounding error.
        func meets(_ other: Box) -> Bool {
            min(right, other.right) - max(left, other.left) > 1 && min(bottom, other.bottom) - max(top, other.top) > 1.5
        }
    }

    /// Whether the drawing is well-formed XML.
    private(set) var isWellFormed = false
    private(set) var size = (width: 0.0, height: 0.0)
    private(set) var texts: [Box] = []
    private(set) var circles: [Box] = []
    private(set) var rects: [Box] = []
    /// All `id` attributes.
    private(set) var ids: [String] = []
    private var text: (x: Double, y: Double, kind: String, words: String)?

    init(_ svg: String) {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        func number(_ key: String) -> Double { attributes[key].flatMap(Double.init) ?? 0 }
        let kind = attributes["class"] ?? ""
        if let id = attributes["id"] { ids.append(id) }
        switch name {
        case "svg": size = (number("width"), number("height"))
        case "text": text = (number("x"), number("y"), kind, "")
        case "circle":
            let (x, y, radius) = (number("cx"), number("cy"), number("r"))
            circles.append(Box(kind: kind, left: x - radius, top: y - radius, right: x + radius, bottom: y + radius))
        case "rect" where attributes["width"] != "100%":
            let (x, y) = (number("x"), number("y"))
            rects.append(Box(kind: kind, left: x, top: y, right: x + number("width"), bottom: y + number("height")))
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text?.words += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard name == "text", let (x, y, kind, words) = text else { return }
        text = nil
        let kinds = kind.split(separator: " ")
        let size: Double = kinds.contains("title") ? 15 : kinds.contains { $0 == "tick" || $0 == "in" } ? 11 : 12
        let isBold = kinds.contains { ["title", "lane", "when", "main", "bad"].contains($0) }
        let width = DrawnBoxes.width(words) * (kinds.contains("digit") ? 10 : size) * (isBold ? 1.1 : 1)
        let left = kinds.contains("end") ? x - width : kinds.contains("mid") ? x - width / 2 : x
        let top = y - 0.76 * size
        texts.append(Box(words: words, kind: kind, left: left, top: top, right: left + width, bottom: y + 0.2 * size))
    }

    /// The width of a text in DejaVu Sans at its size; letters that are not listed have a typical width.
    private static func width(_ words: String) -> Double {
        words.reduce(0) { sum, letter in
            switch letter {
            case "i", "j", "l": sum + 0.28
            case " ", ".", ",": sum + 0.32
            case ":", ";", "|", "I": sum + 0.34
            case "f", "r", "t", "(", ")", "-", "/": sum + 0.4
            case "m", "M", "w", "W", "%", "…": sum + 0.97
            case "a"..."z", "0"..."9": sum + 0.61
            default: sum + 0.7
            }
        }
    }
}
