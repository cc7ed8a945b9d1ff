extension Message: ExpressibleByStringInterpolation {
    package init(stringLiteral words: String) { self.init(words: words) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.message }

    /// The literal and interpolated parts of a message.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var message = Message()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ words: String) { message.append(.words(words)) }

        package mutating func appendInterpolation(_ words: some StringProtocol) {
            message.append(.words(String(words)))
        }

        /// A name or a type that prints itself, as words.
        package mutating func appendInterpolation(_ words: some CustomStringConvertible) {
            message.append(.words(words.description))
        }

        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            message.append(Double(number), text: "\(number)")
        }

        package mutating func appendInterpolation(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
            message.append(Double(number), text: number.description)
        }

        package mutating func appendInterpolation(_ number: Rational) {
            message.append(number.seconds, text: number.description)
        }

        /// A number with at most `places` decimals.
        package mutating func appendInterpolation(_ number: Double, places: Int) {
            message.append(number, text: DecimalText.short(number, places: places))
        }

        /// A number with its own text.
        package mutating func appendInterpolation(_ number: Double, as text: String) {
            message.append(number, text: text)
        }

        /// A number of things, such as `1 frame` or `12 frames`.
        package mutating func appendInterpolation(_ count: Int, of noun: String) {
            message.append(.count(count, of: noun))
        }

        /// A value that differs between messages of one shape.
        package mutating func appendInterpolation(value: some CustomStringConvertible) {
            message.append(.value(value.description))
        }

        /// The text of another program.
        package mutating func appendInterpolation(quoting text: String) { message.append(Message(quoting: text)) }

        package mutating func appendInterpolation(_ other: Message) { message.append(other) }
    }
}
