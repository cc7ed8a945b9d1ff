internal import SegueBase

/// The result of comparing two series of pictures.
enum PictureVerdict {
    case same
    /// Too little is shown, or too little overlaps.
    case unclear
    /// One color for the whole picture.
    case uniform(Uniform)
    /// The same pictures in other colors, with the mean colors of both.
    case tinted(Color, expected: Color)
    /// Other pictures, with the highest correlation at any time.
    case foreign(likeness: Double)
    /// Other movement in similar pictures, with its correlation at the same time.
    case unlike(movement: Double)
    /// One picture that stands still beside movement.
    case frozen
    /// The same pictures later, in seconds; negative if earlier. It is clear if the pictures move much.
    case late(seconds: Double, isClear: Bool)

    /// A mean color.
    struct Color {
        let blue: Int
        let red: Int

        init(_ pictures: [PictureSeries.Picture]) {
            blue = pictures.reduce(0) { $0 + $1.blue } / max(1, pictures.count)
            red = pictures.reduce(0) { $0 + $1.red } / max(1, pictures.count)
        }
    }

    /// The mean color of uniform pictures.
    struct Uniform {
        let luma: Double
        let blue: Int
        let red: Int

        var name: Message {
            let isGray = abs(blue - 128) < 16 && abs(red - 128) < 16
            if isGray { return luma < 28 ? "black" : "uniformly gray" }
            return blue < 112 && red < 112 ? "uniformly green" : "of a single color"
        }
    }
}

/// Compares the pictures of two playlists at the same time.
struct PictureComparison {
    /// The correlation below which pictures are unrelated.
    static let foreign = 0.6
    /// The correlation above which pictures are the same.
    private static let alike = 0.8
    /// The correlation of movement above which its offset can be measured.
    private static let moving = 0.6
    /// The correlation of movement below which it is unrelated.
    static let unlike = 0.1
    /// The mean energy of movement above which unrelated movement, or none, is no accident.
    private static let muchEnergy: Float = 0.005
    /// The mean energy of movement below which a picture stands still.
    private static let noEnergy: Float = 0.0002
    /// The correlation of neighboring pictures below which they are noise, which encoders change.
    private static let steady = 0.5
    /// The difference of the mean Cb or Cr above which the colors are wrong; other dynamic ranges differ by less.
    private static let tint = 40
    /// The mean energy of movement of normalized pictures above which it is more than coding noise.
    private static let leastEnergy: Float = 0.0015
    /// The greatest offset that is searched, in seconds.
    static let reach = 1.5
    /// The number of compared pictures.
    private static let samples = 12
    /// The minimum number of compared pictures.
    private static let least = 3

    let reference: PictureSeries
    let other: PictureSeries

    /// The correlations at the offsets of a search.
    private struct Match {
        /// The highest correlation of the pictures.
        var likeness = -1.0
        /// The highest correlation of the movement, and the offset in seconds at which it occurs.
        var movement = (best: -1.0, lag: 0.0)
        /// The highest correlation of the movement within the tolerance.
        var near = -1.0
        /// The mean energy of the movement of both at the same time.
        var energy: (reference: Float, other: Float) = (0, 0)
    }

    /// The offset up to which pictures are simultaneous, in seconds: one frame, and half of one for rounding.
    var tolerance: Double { 1.5 * max(reference.frame, other.frame) }

    var verdict: PictureVerdict {
        let shown = reference.pictures.filter { other.place(at: $0.time) != nil }
        guard shown.count >= Self.least, shown.filter(\.isDetailed).count * 2 > shown.count else { return .unclear }
        let range = shown[0].time - 0.001...shown[shown.count - 1].time
        let beside = other.pictures.filter { range.contains($0.time) }
        if !beside.isEmpty, beside.allSatisfy(\.isUniform) {
            let middle = beside[beside.count / 2]
            return .uniform(PictureVerdict.Uniform(luma: middle.mean, blue: middle.blue, red: middle.red))
        }
        var match = match(isCropped: false)
        if match.likeness < Self.alike, reference.hasBars || other.hasBars {
            let inner = self.match(isCropped: true)
            if inner.likeness > match.likeness { match = inner }
        }
        guard match.likeness >= Self.foreign else {
            // A picture that is cut to another shape resembles the whole one little.
            let isSameShape = abs(reference.shape / other.shape - 1) < 0.1
            return isSameShape && isSteady ? .foreign(likeness: match.likeness) : .unclear
        }
        let (color, expected) = (PictureVerdict.Color(beside), PictureVerdict.Color(shown))
        if !beside.isEmpty, max(abs(color.blue - expected.blue), abs(color.red - expected.red)) > Self.tint {
            return .tinted(color, expected: expected)
        }
        // Encoders of a low bit rate repeat parts of pictures, so that neighbors resemble one another.
        let (best, near) = (1 - match.movement.best, 1 - match.near)
        guard abs(match.movement.lag) > tolerance, match.movement.best >= Self.moving, near > 2 * best + 0.05 else {
            return movementVerdict(match)
        }
        return .late(seconds: match.movement.lag, isClear: near > 4 * best + 0.1)
    }

    /// The verdict on similar pictures without a common offset.
    private func movementVerdict(_ match: Match) -> PictureVerdict {
        let (energy, otherEnergy) = match.energy
        guard energy >= Self.muchEnergy, isSteady else { return .same }
        if otherEnergy < Self.noEnergy { return .frozen }
        return otherEnergy >= Self.muchEnergy && match.near < Self.unlike ? .unlike(movement: match.near) : .same
    }

    /// True if each picture of the reference resembles the next.
    private var isSteady: Bool {
        let forms = reference.forms(isCropped: false)
        let likenesses = zip(forms, forms.dropFirst()).map(PictureSeries.likeness)
        return !likenesses.isEmpty && likenesses.reduce(0, +) >= Self.steady * Double(likenesses.count)
    }

    /// True if both show the same pictures at the same time.
    var isAlike: Bool {
        guard reference.pictures.contains(where: \.isDetailed) else { return false }
        return [false, true].contains { match(isCropped: $0, reach: tolerance).likeness >= Self.alike }
    }

    private func match(isCropped: Bool, reach: Double = reach) -> Match {
        let (here, there) = (reference.forms(isCropped: isCropped), other.forms(isCropped: isCropped))
        let detailed = reference.pictures.indices.filter { reference.pictures[$0].isDetailed }
        let chosen = (0..<Self.samples).map { detailed[$0 * detailed.count / Self.samples] }
        let step = max(1.0 / 240, min(reference.frame, other.frame))
        let most = Int(reach / step)
        let size = DecodedPicture.width * DecodedPicture.height
        var match = Match()
        // Small offsets first: of a repeated movement, the smallest one counts.
        for number in (-most...most).sorted(by: { abs($0) < abs($1) }) {
            let lag = Double(number) * step
            let pairs = chosen.compactMap { place -> (one: [Float], other: [Float])? in
                guard let shown = other.place(at: reference.pictures[place].time + lag), here[place].count == size,
                    there[shown].count == size
                else { return nil }
                return (here[place], there[shown])
            }
            guard pairs.count >= Self.least else { continue }
            let sum = pairs.reduce(0) { $0 + PictureSeries.likeness($1.one, $1.other) }
            match.likeness = max(match.likeness, sum / Double(pairs.count))
            let movement = Movement(pairs)
            if number == 0 { match.energy = (movement.energy, movement.otherEnergy) }
            guard min(movement.energy, movement.otherEnergy) >= Self.leastEnergy else { continue }
            if abs(lag) <= tolerance { match.near = max(match.near, movement.correlation) }
            if movement.correlation > match.movement.best + 0.002 { match.movement = (movement.correlation, lag) }
        }
        return match
    }

    /// The pictures of two series without the mean of each pixel, which still content dominates.
    private struct Movement {
        let correlation: Double
        /// The mean energies.
        let energy: Float
        let otherEnergy: Float

        init(_ pairs: [(one: [Float], other: [Float])]) {
            let scale = 1 / Float(pairs.count)
            var (product, energy, otherEnergy): (Float, Float, Float) = (0, 0, 0)
            for place in pairs[0].one.indices {
                var (a, b, aa, bb, ab): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
                for pair in pairs {
                    let (x, y) = (pair.one[place], pair.other[place])
                    a += x
                    b += y
                    aa += x * x
                    bb += y * y
                    ab += x * y
                }
                product += ab - a * b * scale
                energy += aa - a * a * scale
                otherEnergy += bb - b * b * scale
            }
            (self.energy, self.otherEnergy) = (max(0, energy * scale), max(0, otherEnergy * scale))
            let norm = (max(0, energy) * max(0, otherEnergy)).squareRoot()
            correlation = norm > 0 ? Double(product / norm) : 0
        }
    }

    /// The highest correlation of a single picture with those of a series.
    static func likeness(_ picture: PictureSeries.Picture, in series: PictureSeries) -> Double {
        let alone = PictureSeries([picture])
        let all = [false, true].map { isCropped -> Double in
            let form = alone.forms(isCropped: isCropped)[0]
            return series.forms(isCropped: isCropped).map { PictureSeries.likeness(form, $0) }.max() ?? -1
        }
        return all.max() ?? -1
    }
}
