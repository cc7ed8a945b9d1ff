internal import SegueBase
internal import SegueContainers

/// The samples of a movie box (`moov`) as a byte map.
struct MovieBox: Sendable {
    /// True if the samples are in fragments.
    let isFragmented: Bool

    /// The stated duration; zero if not stated.
    private(set) var duration = Duration.zero

    /// The tracks, for reading fragments.
    let inspection: SegmentInspection

    private var tracks: [[ByteMap.Piece]] = []
    private var keyTimes: [Duration] = []

    /// Reads the playable tracks of a movie box; nil if there are none.
    init?(_ movie: ArraySlice<UInt8>) {
        let box = Self.wrapped(movie)
        guard let inspection = try? MP4Inspector.inspect(box[...], initialization: nil),
            inspection.hasAudio || inspection.hasVideo
        else { return nil }
        self.inspection = inspection
        isFragmented = inspection.layout == .fragmentedMP4
        let header = BoxReader.first("mvhd", in: movie).flatMap(ClockHead.init)
        let scale = header?.scale ?? 1
        duration = header?.duration.map { .units($0, of: scale) } ?? .zero
        let fragments = BoxReader.first(["mvex", "mehd"], in: movie).flatMap(MovieHeads.fragmentsDuration)
        if isFragmented { duration = fragments.map { .units($0, of: scale) } ?? duration }
        guard !isFragmented else { return }
        if duration == .zero {
            duration = inspection.tracks.compactMap(\.duration).max().map { Duration($0) } ?? .zero
        }
        duration = min(duration, .longestFile)
        var boxes = BoxReader(movie)
        while let box = boxes.next() {
            guard box.type == "trak", let track = MP4Boxes.track(box.body, movieScale: scale),
                track.kind == .audio || track.kind == .video, let clock = track.initialization,
                let table = BoxReader.first(["mdia", "minf", "stbl"], in: box.body),
                var samples = SampleTable(table, scale: clock.timeScale, shift: Duration(clock.editOffset))
            else { continue }
            tracks.append(samples.pieces(of: max(.milliseconds(250), duration / 100_000)))
            if track.kind == .video, keyTimes.isEmpty { keyTimes = samples.keyTimes }
        }
    }

    /// Returns the timescale of a track.
    func timeScale(of track: Int) -> Int64? {
        inspection.tracks.first { $0.number == track }?.initialization?.timeScale
    }

    /// Returns the layout of a file with all samples in one table.
    var layout: LayoutReader.Answer {
        guard duration > .zero, tracks.contains(where: { !$0.isEmpty }) else {
            return .unusable("its movie box (moov) has no samples")
        }
        return .found(layout((ByteMap(tracks: tracks, keyTimes: keyTimes), duration)))
    }

    /// Returns the layout with a map from another source.
    func layout(_ found: (map: ByteMap, duration: Duration)) -> MediaLayout {
        MediaLayout(
            format: "mp4",
            hasVideo: inspection.hasVideo,
            hasAudio: inspection.hasAudio,
            duration: found.duration,
            map: found.map
        )
    }

    private static func wrapped(_ movie: ArraySlice<UInt8>) -> [UInt8] {
        let size = movie.count + 8
        let head = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array("moov".utf8)
        return head + movie
    }
}
