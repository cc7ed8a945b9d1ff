/// Text in XML, SVG, and HTML.
package enum MarkupText {
    /// Returns the text as the content of an element or the value of an attribute.
    ///
    /// The five reserved characters are escaped, line breaks and tabs kept, and characters that XML 1.0 does not allow
    /// (section 2.2) replaced by U+FFFD.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
