internal import SegueBase

/// Numbers with their units as messages show them.
enum DisplayText {
    /// Seconds with up to three decimals.
    static func seconds(_ value: Double) -> Message { "\(value, places: 3) s" }

    /// Seconds with up to three decimals.
    static func seconds(_ value: Rational) -> Message { seconds(value.seconds) }

    /// Seconds with one decimal.
    static func tenths(_ value: Double) -> Message { "\(value, as: DecimalText.fixed(value, places: 1)) s" }

    /// Two values with as many decimals as distinguish them, up to six.
    static func distinct(_ one: Double, _ other: Double, in unit: Comparison.Unit) -> (Message, Message) {
        let (scale, name) = unit == .bitsPerSecond ? (1000.0, "kbit/s") : (1, unit.rawValue)
        func texts(_ decimals: Int) -> [Message] {
            [one, other].map { "\($0 / scale, places: decimals) \(name)" }
        }
        let decimals = (usualDecimals(unit)...6).first { Set(texts($0).map(\.text)).count == 2 } ?? 6
        return (texts(decimals)[0], texts(decimals)[1])
    }

    private static func usualDecimals(_ unit: Comparison.Unit) -> Int {
        switch unit {
        case .seconds, .framesPerSecond: 3
        case .loudness: 1
        default: 0
        }
    }
}
