import Foundation

/// Sort keys of names: without case, accents, width, and articles, with numbers by value.
enum SortKey {
    /// The text without case, accents, and width: equal for spellings of the same name.
    static func folded(_ text: String) -> String {
        var text = text
        let isPlain = text.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
        if isPlain { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// A key for comparing names byte by byte.
    static func order(_ text: String) -> String { numbered(withoutArticle(folded(text))) }

    /// A key for comparing paths: like ``order(_:)``, but with articles.
    static func path(_ text: String) -> String { numbered(folded(text)) }

    private static let articles = ["the ", "a ", "an ", "der ", "die ", "das "]

    private static func withoutArticle(_ folded: String) -> Substring {
        for article in articles where folded.hasPrefix(article) && folded.utf8.count > article.utf8.count {
            return folded.dropFirst(article.count)
        }
        return folded[...]
    }

    /// The text with the number of digits before each number, so that 9 sorts before 10.
    private static func numbered(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: \.isDigit) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.first {
            guard byte.isDigit else {
                bytes.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix(while: \.isDigit)
            rest = rest.dropFirst(digits.count)
            let number = digits.drop { $0 == UInt8(ascii: "0") }
            // Letters sort after all numbers, as they do after digits.
            bytes.append(UInt8(ascii: "0") + UInt8(min(number.count, 9)))
            bytes += number
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
