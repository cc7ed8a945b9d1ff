import Testing

@testable import SegueServer

@Suite struct `QR code` {
    @Test func `a code has three finders, and a larger one for a longer text`() throws {
        let code = try #require(QRCode("http://192.168.1.5:8080/k/0123456789abcdefghjkmnpqrs/"))
        #expect(code.side == 33 && code.modules.count == 33 * 33)
        for (row, column) in [(0, 0), (0, 26), (26, 0)] {
            let finder = (0..<7).map { line in (0..<7).map { code.modules[(row + line) * 33 + column + $0] } }
            #expect(finder[0].allSatisfy { $0 } && finder[6].allSatisfy { $0 })
            #expect(finder[3] == [true, false, true, true, true, false, true])
        }
        #expect(try #require(QRCode(String(repeating: "x", count: 200))).side > 33)
    }

    @Test(arguments: ["", String(repeating: "x", count: 5000)])
    func `what fits into no code has none`(text: String) { #expect(QRCode(text) == nil) }

    @Test func `the image has all dark modules and a margin`() throws {
        let code = try #require(QRCode("segue"))
        let svg = code.svg
        #expect(svg.contains("viewBox=\"0 0 29 29\"") && code.side == 21)
        let runs = svg.matches(of: /M([0-9]+) ([0-9]+)h([0-9]+)v1h-([0-9]+)z/)
        #expect(runs.reduce(0) { $0 + (Int($1.3) ?? 0) } == code.modules.count { $0 })
        #expect(runs.allSatisfy { (4..<25).contains(Int($0.1) ?? 0) && (4..<25).contains(Int($0.2) ?? 0) })
    }

    @Test(arguments: [true, false])
    func `a terminal gets two rows in a line, dark on light whatever its colours`(isColoured: Bool) throws {
        let code = try #require(QRCode("segue"))
        let lines = code.text(isColoured: isColoured).split(separator: "\n")
        #expect(lines.count == 13)
        let shown = lines.map { $0.replacing("\u{1B}[30;107m", with: "").replacing("\u{1B}[0m", with: "") }
        #expect(shown.allSatisfy { $0.count == 25 })
        // The margin is light: white paper where it is coloured, drawn where it is not.
        #expect(shown[0] == String(repeating: isColoured ? " " : "█", count: 25))
        let upper = shown.map { $0.map { "▀█".contains($0) == isColoured } }
        #expect(
            (0..<21).allSatisfy { column in
                (0..<10).allSatisfy { upper[$0 + 1][column + 2] == code.modules[2 * $0 * 21 + column] }
            }
        )
    }
}
