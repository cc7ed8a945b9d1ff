internal import SegueBase
internal import SeguePlaylists

/// The rules that compare the sampled pictures of variants and I-frame playlists.
///
/// Without a decoder, and for live streams, they find nothing.
enum SamePictureRules {
    static let all: [Check<MultivariantSubject>] = [same, simultaneous, iFrames]

    static let same = Check<MultivariantSubject>(
        Rule(
            "same-pictures",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4",
            .must,
            requires: "all variants show the same pictures; sampled at up to 12 positions of a VOD presentation",
            fix: "encode all variants from one source, and replace the files of the variant; FFmpeg: one command with "
                + "several outputs"
        )
    ) { subject in
        let films = Film.all(subject)
        let positions = Position.all(films)
        return films.indices.compactMap { index in
            var (odd, judged, sure): ([(Position, Message)], Int, Int) = ([], 0, 0)
            for position in positions where index != position.reference {
                switch position.verdict(of: index) {
                case .uniform(let color):
                    odd.append((position, "is \(color.name), expected the picture of"))
                    sure += 1
                case .foreign(let likeness):
                    odd.append((position, "does not resemble \(correlation(likeness, PictureComparison.foreign))"))
                    sure += 1
                case .tinted(let color, let expected):
                    odd.append((position, "has \(colors(color, expected))"))
                    sure += 1
                case .unlike(let movement):
                    odd.append((position, "does not move like \(correlation(movement, PictureComparison.unlike))"))
                case .frozen: odd.append((position, "stands still, expected the movement of"))
                case .same, .late: break
                case .unclear, nil: continue
                }
                judged += 1
            }
            // Small movements may differ by the coding alone.
            guard let (first, words) = odd.first, sure > 0 || odd.count > 1 || judged == 1 else { return nil }
            let reference = films[first.reference].name
            let others = odd.dropFirst().map(\.0)
            let time = DisplayText.tenths(first.start)
            let start: Message = "at \(time), the picture of \(films[index].name) \(words) "
            let more: Message = others.isEmpty ? "" : ", and at \(others.count) more positions"
            return Violation(films[index].place(at: first.start), start + "\(reference)\(more)")
        }
    }

    private static func colors(_ found: PictureVerdict.Color, _ expected: PictureVerdict.Color) -> Message {
        "a mean Cb of \(found.blue) and Cr of \(found.red), expected \(expected.blue) and \(expected.red) as that of"
    }

    private static func correlation(_ found: Double, _ least: Double) -> Message {
        "(correlation \(max(0, found), places: 2), expected at least \(least, places: 1)) that of"
    }

    static let simultaneous = Check<MultivariantSubject>(
        Rule(
            "pictures-in-step",
            in: .renditions,
            clauses: "R6.2.4, B6.2.4",
            .must,
            requires: "all variants show a picture at the same time, within a frame; sampled as for `same-pictures`",
            fix: "start all encoders at the same frame and keep their timestamps; FFmpeg: one command with several "
                + "outputs, not -ss for some of them"
        )
    ) { subject in
        let films = Film.all(subject)
        let positions = Position.all(films)
        return films.indices.compactMap { index in
            let late = positions.compactMap { position -> (Position, seconds: Double, isClear: Bool)? in
                guard index != position.reference, let comparison = position.comparison(of: index),
                    case .late(let seconds, let isClear) = comparison.verdict,
                    !films[index].explains(seconds, beside: films[position.reference], within: comparison.tolerance)
                else { return nil }
                return (position, seconds, isClear)
            }
            guard let first = late.first else { return nil }
            let agreeing = late.filter { abs($0.seconds - first.seconds) < 0.06 }
            guard agreeing.count > 1 || first.isClear else { return nil }
            let frame = max(positionFrame(first.0, index), positionFrame(first.0, first.0.reference))
            let side = first.seconds > 0 ? "later" : "earlier"
            let (name, reference) = (films[index].name, films[first.0.reference].name)
            return Violation(
                films[index].place(at: first.0.start),
                Comparison(
                    "at \(DisplayText.tenths(first.0.start)), \(name) shows the picture of \(reference) \(side) by",
                    abs(first.seconds),
                    expected: .atMost(frame),
                    unit: .seconds,
                    origin: "(one frame)"
                )
            )
        }
    }

    private static func positionFrame(_ position: Position, _ index: Int) -> Double {
        position.series[index]?.frame ?? 0
    }

    static let iFrames = Check<MultivariantSubject>(
        Rule(
            "iframe-same-pictures",
            in: .renditions,
            clauses: "R4.3.4.3, B4.4.6.3",
            .must,
            requires: "an I-frame playlist shows the pictures of the presentation; sampled as for `same-pictures`",
            fix: "make the I-frame playlist from a variant; Shaka Packager: iframe_playlist_name, Bento4: mp4hls"
        )
    ) { subject in
        let positions = Position.all(Film.all(subject))
        return Film.iFrames(subject).compactMap { frames in
            let judged = positions.compactMap { position -> (time: Double, words: Message?)? in
                guard let series = position.series[position.reference] else { return nil }
                return result(frames, beside: series)
            }
            let odd = judged.compactMap { entry in entry.words.map { (entry.time, $0) } }
            // A single I-frame may show a short scene that the compared pictures of the variant do not contain.
            guard judged.count > 1, odd.count == judged.count, let first = odd.first else { return nil }
            let message: Message =
                "\(frames.name) shows none of the \(judged.count) sampled pictures of the variants: at "
                + "\(DisplayText.tenths(first.0)), \(first.1)"
            return Violation(frames.place(at: first.0), message)
        }
    }

    /// The first I-frame within a series of a variant, with the difference from its pictures; nil if it cannot be
    /// judged.
    private static func result(_ frames: Film, beside series: PictureSeries) -> (time: Double, words: Message?)? {
        guard let first = series.pictures.first, let last = series.pictures.last,
            let picture = frames.series.pictures.first(where: { $0.time >= first.time - 0.1 && $0.time <= last.time }),
            series.pictures.allSatisfy(\.isDetailed)
        else { return nil }
        guard !picture.isUniform else {
            let color = PictureVerdict.Uniform(luma: picture.mean, blue: picture.blue, red: picture.red)
            return (picture.time, "it is \(color.name)")
        }
        let likeness = PictureComparison.likeness(picture, in: series)
        let isForeign = likeness < PictureComparison.foreign
        let words: Message =
            "the highest correlation is \(max(0, likeness), places: 2), expected at least "
            + "\(PictureComparison.foreign, places: 1)"
        return (picture.time, isForeign ? words : nil)
    }
}

/// The sampled pictures of a playlist.
private struct Film {
    let name: Message
    let series: PictureSeries
    private let media: MediaSubject
    /// For each segment, the offset from playlist time to media time of its discontinuity, in seconds.
    private let offsets: [Int: Rational]
    private let starts: [(start: Double, segment: SegmentFacts)]

    private init?(_ name: Message, _ media: MediaSubject) {
        guard media.playlist.hasEndList, let pictures = media.decoded?.pictures, !pictures.isEmpty else { return nil }
        (self.name, self.media) = (name, media)
        let runs = MediaLine(media).runs
        var offsets: [Int: Rational] = [:]
        var stated: [Int: Rational] = [:]
        for run in runs {
            guard let offset = run.lazy.compactMap(\.offset).first else { continue }
            for point in run { (offsets[point.segment.number], stated[point.segment.number]) = (offset, point.stated) }
        }
        self.offsets = offsets
        starts = runs.joined().map { ($0.stated.seconds, $0.segment) }
        series = PictureSeries(
            pictures.compactMap { picture in
                guard let offset = offsets[picture.segment], let start = stated[picture.segment] else { return nil }
                let time = start + MediaLine.near(picture.time - offset - start)
                return PictureSeries.Picture(picture, time: time.seconds)
            }
            .sorted { $0.time < $1.time }
        )
    }

    /// The variants with sampled pictures, each playlist once; those for headsets show a picture for each eye.
    static func all(_ subject: MultivariantSubject) -> [Film] {
        let lists = subject.document.lists("#EXT-X-STREAM-INF")
        var known: Set<String> = []
        return subject.playlist.variants.enumerated().compactMap { number, variant in
            guard known.insert(variant.uri).inserted, let media = subject.subject(variant.uri),
                !lists.indices.contains(number) || lists[number].list["REQ-VIDEO-LAYOUT"] == nil
            else { return nil }
            let size: Message = variant.resolution.map { " (\(value: $0))" } ?? ""
            return Film("variant \(number + 1)\(size)", media)
        }
    }

    /// The I-frame playlists with sampled pictures.
    static func iFrames(_ subject: MultivariantSubject) -> [Film] {
        var known: Set<String> = []
        return subject.playlist.iFrameVariants.enumerated().compactMap { number, variant in
            guard known.insert(variant.uri).inserted,
                let media = subject.iFrames.first(where: { $0.uri == variant.uri })?.subject
            else { return nil }
            return Film("I-frame playlist \(number + 1)", media)
        }
    }

    /// The segment at a time of the playlist, in seconds.
    private func segment(at time: Double) -> SegmentFacts? {
        (starts.last { $0.start <= time + 0.1 } ?? starts.first)?.segment
    }

    func place(at time: Double) -> Place { segment(at: time).map(media.place) ?? media.document.place() }

    /// The time ranges of the sampled pictures by segment, in seconds of the playlist.
    var ranges: [ClosedRange<Double>] {
        let bySegment = Dictionary(grouping: series.pictures) { picture in segment(at: picture.time)?.number ?? 0 }
        return bySegment.values.compactMap { pictures in
            let times = pictures.map(\.time)
            return times.min().flatMap { first in times.max().map { first...$0 } }
        }
        .sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Returns true if the timestamps of two playlists differ by an offset of their pictures, so that the pictures of
    /// the same timestamp are the same.
    func explains(_ seconds: Double, beside other: Film, within tolerance: Double) -> Bool {
        guard let own = offsets.min(by: { $0.key < $1.key })?.value,
            let theirs = other.offsets.min(by: { $0.key < $1.key })?.value
        else { return false }
        return abs(seconds + MediaLine.near(own - theirs).seconds) <= tolerance
    }
}

/// The pictures of all variants around a time.
private struct Position {
    /// The maximum number of variants among which the reference is chosen.
    private static let candidates = 5

    /// The start in seconds of the playlist.
    let start: Double
    /// The pictures of each variant; nil for a variant without pictures at the position.
    let series: [PictureSeries?]
    /// The index of the variant that most others resemble.
    private(set) var reference = 0

    private init?(_ range: ClosedRange<Double>, _ films: [Film]) {
        start = max(0, range.lowerBound)
        let reach = range.lowerBound - PictureComparison.reach...range.upperBound + PictureComparison.reach
        series = films.map { film in
            let series = film.series.within(reach)
            return series.pictures.isEmpty ? nil : series
        }
        let known = series.indices.filter { series[$0] != nil }
        let votes = known.prefix(Self.candidates).map { candidate -> (index: Int, votes: Int) in
            let agreeing = known.prefix(Self.candidates).count { other in
                guard candidate != other, let one = series[candidate], let other = series[other] else { return false }
                return PictureComparison(reference: one, other: other).isAlike
            }
            let isShown = series[candidate]?.pictures.contains(where: \.isDetailed) ?? false
            return (candidate, 2 * agreeing + (isShown ? 1 : 0))
        }
        guard let most = votes.map(\.votes).max(), let best = votes.first(where: { $0.votes == most }) else {
            return nil
        }
        reference = best.index
    }

    static func all(_ films: [Film]) -> [Position] {
        (films.first { !$0.ranges.isEmpty }?.ranges ?? []).compactMap { Position($0, films) }
    }

    func comparison(of index: Int) -> PictureComparison? {
        guard let other = series[index], let reference = series[reference] else { return nil }
        return PictureComparison(reference: reference, other: other)
    }

    func verdict(of index: Int) -> PictureVerdict? { comparison(of: index)?.verdict }
}
