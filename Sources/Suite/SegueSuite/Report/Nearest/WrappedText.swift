internal import SegueBase

extension ProgressText.Look {
    /// Lines that fit the terminal, each with an indent.
    ///
    /// Only longer words are cut.
    func wrapped(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        guard let columns else { return [cut(margin + text)] }
        var lines: [String] = []
        var line = margin
        for word in text.split(separator: " ") {
            let longer = line == margin ? line + word : line + " " + word
            if line != margin, TextColumns.width(of: longer) > columns {
                lines.append(cut(line))
                line = margin + word
            } else {
                line = longer
            }
        }
        return lines + [cut(line)]
    }
}
