import Foundation
import SegueBase
import SegueConformance
import SeguePlaylists

/// Sampled pictures of a film that is made of formulas.
struct MadeFilm: Sendable {
    enum Scene: Sendable { case film, otherFilm, otherMovement, still, uniform(luma: UInt8, blue: Int, red: Int) }

    var scene = Scene.film
    /// The time by which the film is late, in seconds.
    var late = 0.0
    var rate = 25
    /// The rows that are black at the top and at the bottom.
    var bars = 0
    /// The share of the contrast that is left.
    var contrast = 1.0
    /// The mean of Cb.
    var blue = 128

    /// The luma at a position of the picture, both from 0 to 1.
    private func luma(_ x: Double, _ y: Double, at time: Double) -> Double {
        switch scene {
        case .uniform(let luma, _, _): return Double(luma)
        case .otherFilm: return 120 + 60 * sin(37 * y) * cos(31 * x)
        case .still: return 60 + 90 * x
        case .otherMovement:
            let ball = (time * 0.83).truncatingRemainder(dividingBy: 1)
            return 60 + 90 * x + (abs(y - ball) < 0.2 && abs(x - 0.3) < 0.1 ? 60 : 0)
        case .film:
            let ball = (time * 0.35).truncatingRemainder(dividingBy: 1)
            return 60 + 90 * x + (abs(x - ball) < 0.12 && abs(y - 0.5) < 0.25 ? 80 : 0)
        }
    }

    private func picture(at time: Double) -> [UInt8] {
        let (width, height) = (DecodedPicture.width, DecodedPicture.height)
        return (0..<width * height).map { place in
            let (column, row) = (place % width, place / width)
            guard row >= bars, row < height - bars else { return 16 }
            let y = Double(row - bars) / Double(height - 2 * bars)
            let value = luma(Double(column) / Double(width), y, at: max(0, time - late))
            return UInt8(max(0, min(255, 16 + (value - 16) * contrast)))
        }
    }

    /// The pictures of two seconds from the start of each of the three segments of ``Good``; with a rate of 0, only the
    /// first of each.
    func pictures(media start: Int = 10) -> [DecodedPicture] {
        var (blue, red) = (blue, 128)
        if case .uniform(_, let one, let other) = scene { (blue, red) = (one, other) }
        return (0..<3).flatMap { segment in
            (0..<max(1, 2 * rate)).map { frame in
                let offset = Rational(Int64(frame), Int64(max(1, rate)))
                return DecodedPicture(
                    segment: segment,
                    time: Rational(Int64(start + 6 * segment)) + offset,
                    luma: picture(at: Double(6 * segment) + offset.seconds),
                    blue: blue,
                    red: red
                )
            }
        }
    }
}

/// Violations of the rules on what variants show, and near misses.
extension Break {
    /// A good multivariant playlist with these films as its two variants, and these I-frames.
    private static func shown(_ rule: String, _ first: MadeFilm, _ second: MadeFilm, frames: MadeFilm? = nil) -> Break {
        presentation(rule) { subject in
            for (number, film) in [first, second].enumerated() {
                var facts = DecodedFacts()
                facts.pictures = film.pictures()
                subject.media[number].subject.decoded = facts
            }
            var facts = DecodedFacts()
            facts.pictures = frames?.pictures() ?? []
            subject.iFrames[0].subject.decoded = facts
        }
    }

    private static let film = MadeFilm()
    private static let black = MadeFilm(scene: .uniform(luma: 16, blue: 128, red: 128))

    static let shownPictures: [Break] = [
        shown("same-pictures", film, black),
        shown("same-pictures", black, film),
        shown("same-pictures", film, MadeFilm(scene: .uniform(luma: 145, blue: 54, red: 34))),
        shown("same-pictures", film, MadeFilm(scene: .otherFilm)),
        shown("same-pictures", film, MadeFilm(scene: .otherMovement)),
        shown("same-pictures", film, MadeFilm(late: 100)),
        shown("same-pictures", film, MadeFilm(blue: 60)),
        shown("pictures-in-step", film, MadeFilm(late: 0.5)),
        shown("pictures-in-step", film, MadeFilm(late: -0.5)),
        shown("pictures-in-step", film, MadeFilm(late: 0.12)),
        shown("pictures-in-step", MadeFilm(rate: 60), MadeFilm(late: 0.5, rate: 30)),
        shown("pictures-in-step", film, MadeFilm(late: 0.5, bars: 4)),
        shown("iframe-same-pictures", film, film, frames: MadeFilm(scene: .otherFilm, rate: 0)),
        shown("iframe-same-pictures", film, film, frames: MadeFilm(scene: black.scene, rate: 0)),
    ]

    static let keptPictures: [Break] = [
        shown("same-pictures", film, MadeFilm(bars: 4, contrast: 0.4)),
        shown("same-pictures", film, MadeFilm(blue: 110)),
        shown("same-pictures", black, black),
        shown("pictures-in-step", film, MadeFilm(late: 0.04)),
        shown("pictures-in-step", MadeFilm(rate: 60), MadeFilm(rate: 30)),
        shown("pictures-in-step", MadeFilm(rate: 60), MadeFilm(rate: 24)),
        shown("pictures-in-step", MadeFilm(scene: .still), MadeFilm(scene: .still, late: 0.5)),
        shown("iframe-same-pictures", film, film, frames: MadeFilm(late: 1, rate: 0)),
        // The pictures are late by as much as their timestamps are early.
        presentation("pictures-in-step") { subject in
            for number in 0..<3 {
                for track in subject.media[1].subject.segments[number].tracks.indices {
                    var facts = subject.media[1].subject.segments[number].tracks[track]
                    facts.start = facts.start.map { $0 - Rational(1, 2) }
                    facts.decodeStart = facts.decodeStart.map { $0 - Rational(1, 2) }
                    facts.last = facts.last.map { $0 - Rational(1, 2) }
                    subject.media[1].subject.segments[number].tracks[track] = facts
                }
            }
            for (number, film) in [film, MadeFilm(late: 0.5)].enumerated() {
                var facts = DecodedFacts()
                facts.pictures = film.pictures()
                if number == 1 {
                    for place in facts.pictures.indices { facts.pictures[place].time -= Rational(1, 2) }
                }
                subject.media[number].subject.decoded = facts
            }
        }.breaking("same-start"),
    ]
}
