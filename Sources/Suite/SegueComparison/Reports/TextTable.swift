package enum TextTable {
    /// Rows with aligned columns, two spaces apart.
    package static func text(_ rows: [[String]]) -> String {
        let widths = rows.reduce(into: [Int]()) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) where width > 0 {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
