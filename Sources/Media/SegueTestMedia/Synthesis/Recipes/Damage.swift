internal import SegueBase
internal import SegueFFmpeg

extension Recipe.Damage {
    /// Returns the damaged bytes.
    func applied(to bytes: [UInt8], seed: UInt64) -> [UInt8] {
        switch self {
        case .keep(let fraction):
            return Array(bytes.prefix(Int((fraction * Rational(Int64(bytes.count))).floored())))
        case .dropFirst(let count):
            return Array(bytes.dropFirst(count))
        case .corrupt(let fraction, let count):
            let first = min(Int((fraction * Rational(Int64(bytes.count))).floored()), bytes.count)
            let last = min(first + count, bytes.count)
            var bytes = bytes
            bytes.replaceSubrange(first..<last, with: Noise.bytes(last - first, seed: seed))
            return bytes
        case .prepend(let count):
            return Noise.bytes(count, seed: seed) + bytes
        }
    }
}

/// Reproducible noise bytes.
enum Noise {
    static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        (0..<count).map { UInt8(PositionBits.mixed(seed &+ UInt64($0 / 8)) >> UInt64($0 % 8 * 8) & 0xFF) }
    }
}

extension Recipe {
    /// The relative effort of making the file.
    var effort: Double {
        guard case .encoding(let encoding) = source else { return 0 }
        let audio = encoding.audio.reduce(0) { $0 + Double($1.settings.rate * $1.settings.channels) }
        let video = encoding.video.map { Double($0.film.width * $0.film.height) * $0.film.rate.seconds } ?? 0
        return encoding.duration.seconds * (audio + video)
    }
}
