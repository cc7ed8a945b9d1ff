/// SHOUTcast metadata: a block with the title after every ``interval`` bytes of audio.
struct IcyWriter: Sendable {
    /// The number of audio bytes between blocks.
    static let interval = 16_000

    private var left = IcyWriter.interval
    private var told: String?

    init() {}

    /// Appends a frame, with a metadata block if it is due.
    mutating func write(_ frame: RadioRing.Frame, to output: inout [UInt8]) {
        var rest = frame.bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(left)
            output += part
            left -= part.count
            rest = rest.dropFirst(part.count)
            guard left == 0 else { continue }
            output += block(frame.title)
            left = Self.interval
        }
    }

    private mutating func block(_ title: String) -> [UInt8] {
        guard title != told else { return [0] }
        told = title
        let text = Array("StreamTitle='\(Self.plain(title))';".utf8)
        let units = (text.count + 15) / 16
        return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
    }

    /// The title without quotes that end it early, and shortened.
    private static func plain(_ title: String) -> String {
        let shown = title.unicodeScalars.filter { $0.properties.generalCategory != .control }
        var text = String(String.UnicodeScalarView(shown)).replacing("';", with: "' ;")
        while text.utf8.count > 1000 { text.removeLast() }
        return text
    }
}
