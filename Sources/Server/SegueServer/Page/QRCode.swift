internal import CSegueQRCode

/// A QR code (ISO/IEC 18004): a square of dark and light modules that cameras read.
package struct QRCode: Sendable, Equatable {
    /// The number of modules on a side.
    package let side: Int
    /// The modules, row by row; true for dark.
    package let modules: [Bool]

    /// Creates the smallest code of a text that tolerates damage to 15% of it (level M).
    ///
    /// - Returns: Nil if the text is empty or too long, or if memory is exhausted.
    package init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let data = code.pointee.data else { return nil }
        side = width
        // The lowest bit is set for dark modules; libqrencode uses the other bits internally.
        modules = (0..<width * width).map { data[$0] & 1 == 1 }
    }

    /// The width of the quiet zone, in modules.
    package static let margin = 4

    /// Returns whether a module is dark; the modules of the quiet zone are light.
    private func isDark(_ column: Int, _ row: Int) -> Bool {
        (0..<side).contains(column) && (0..<side).contains(row) && modules[row * side + column]
    }

    /// The code as an SVG image, dark on a light background of its own.
    package var svg: String {
        let size = side + 2 * Self.margin
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                guard isDark(column, row) else {
                    column += 1
                    continue
                }
                let start = column
                while isDark(column, row) { column += 1 }
                path += "M\(start + Self.margin) \(row + Self.margin)h\(column - start)v1h-\(column - start)z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <rect width="\(size)" height="\(size)" fill="#fff"/><path d="\(path)"/></svg>

            """
    }

    /// Returns the code in block characters, two rows of modules per line.
    ///
    /// - Parameter isColoured: True if the terminal supports colors: the code is then black on white. Otherwise, light
    ///   modules have the terminal's text color, which is light on most terminals.
    /// - Returns: The lines, each with a line break.
    package func text(isColoured: Bool) -> String {
        var text = ""
        // A margin of two suffices on a terminal, and saves lines.
        for row in stride(from: -2, to: side + 2, by: 2) {
            if isColoured { text += "\u{1B}[30;107m" }
            for column in -2..<side + 2 {
                let (upper, lower) = (isDark(column, row) == isColoured, isDark(column, row + 1) == isColoured)
                text += upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
            }
            text += isColoured ? "\u{1B}[0m\n" : "\n"
        }
        return text
    }
}
