internal import SegueBase
internal import SegueContainers

/// Inspects ISO base media: initialization sections, fragments, and whole files (ISO/IEC 14496-12).
struct MP4Inspector {
    private var movieScale: Int64 = 1
    private var headers: [SegmentTrack] = []
    private var runs: [Int: SampleRun] = [:]
    private var runOrder: [Int] = []
    private var hasMovie = false
    private var hasFragments = false
    private var isFragmented = false

    /// Returns true if the bytes start with a box that such resources start with.
    static func recognises(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(bytes)
        return reader.skip(4) && reader.code().map(beginnings.contains) ?? false
    }

    private static let beginnings: Set<FourCC> = [
        "ftyp", "styp", "moov", "moof", "sidx", "emsg", "prft", "free", "skip", "mdat", "wide", "uuid",
    ]

    static func inspect(
        _ bytes: ArraySlice<UInt8>,
        initialization: SegmentInspection?
    ) throws(SegmentError) -> SegmentInspection {
        var inspector = MP4Inspector()
        inspector.headers = initialization?.tracks ?? []
        var boxes = BoxReader(bytes)
        while let box = boxes.next() {
            switch box.type {
            case "moov": inspector.readMovie(box.body)
            case "moof": inspector.readFragment(box.body)
            default: break
            }
        }
        return try inspector.finished()
    }

    private func finished() throws(SegmentError) -> SegmentInspection {
        guard hasMovie || hasFragments else { throw SegmentError("the fMP4 segment has neither moov nor moof") }
        let layout: SegmentInspection.Layout = hasFragments || isFragmented || !hasMovie ? .fragmentedMP4 : .mp4
        guard hasFragments else {
            let hasMedia = !isFragmented && headers.contains { ($0.samples ?? 0) > 0 }
            return SegmentInspection(layout: layout, tracks: headers, hasInitialization: true, hasMedia: hasMedia)
        }
        let tracks = runOrder.compactMap { number in runs[number].map { finished(number, $0) } }
        return SegmentInspection(
            layout: layout,
            tracks: tracks,
            hasInitialization: hasMovie,
            hasMedia: tracks.contains { ($0.samples ?? 0) > 0 }
        )
    }

    /// Returns a track of a segment: the header from the initialization section, the times from its fragments.
    private func finished(_ number: Int, _ run: SampleRun) -> SegmentTrack {
        let header = headers.first { $0.number == number }
        var track = header ?? SegmentTrack(number: number, kind: .other, codec: "unknown")
        if !hasMovie { track.initialization = nil }
        track.samples = run.samples
        guard let clock = header?.initialization, run.samples > 0, let first = run.first, !run.isBroken else {
            track.duration = nil
            return track
        }
        track.decodeStart = Rational(first, clock.timeScale)
        track.duration = Rational(run.duration, clock.timeScale)
        track.start = run.least.map { Rational($0, clock.timeScale) + clock.editOffset }
        track.last = run.greatest.map { Rational($0, clock.timeScale) + clock.editOffset }
        return track
    }

    private mutating func readMovie(_ movie: ArraySlice<UInt8>) {
        guard !hasMovie else { return }
        hasMovie = true
        headers = []
        movieScale = BoxReader.first("mvhd", in: movie).flatMap(ClockHead.init)?.scale ?? 1
        var boxes = BoxReader(movie)
        while let box = boxes.next() {
            if box.type == "trak", let track = MP4Boxes.track(box.body, movieScale: movieScale),
                headers.count < 100, !headers.contains(where: { $0.number == track.number })
            {
                headers.append(track)
            }
        }
        guard let extends = BoxReader.first("mvex", in: movie) else { return }
        isFragmented = true
        var inner = BoxReader(extends)
        while let box = inner.next() {
            guard box.type == "trex", let defaults = TrackDefaults(box.body),
                let index = headers.firstIndex(where: { $0.number == defaults.track })
            else { continue }
            headers[index].initialization?.defaultDuration = defaults.duration
        }
        // The sample tables of a fragmented file are empty.
        for index in headers.indices where headers[index].samples == 0 { headers[index].duration = nil }
    }

    private mutating func readFragment(_ fragment: ArraySlice<UInt8>) {
        hasFragments = true
        var boxes = BoxReader(fragment)
        while let box = boxes.next() {
            guard box.type == "traf", let header = BoxReader.first("tfhd", in: box.body).flatMap(FragmentHead.init)
            else { continue }
            if runs[header.track] == nil {
                guard runOrder.count < 100 else { continue }
                runs[header.track] = SampleRun()
                runOrder.append(header.track)
            }
            let clock = headers.first { $0.number == header.track }?.initialization
            let duration = header.duration ?? clock?.defaultDuration ?? 0
            if let time = BoxReader.first("tfdt", in: box.body).flatMap(MovieHeads.decodeTime) {
                runs[header.track]?.jump(to: time)
            }
            var inner = BoxReader(box.body)
            while let box = inner.next() {
                guard box.type == "trun", let run = TrackRun(box.body) else { continue }
                runs[header.track]?.add(run, defaultDuration: duration)
            }
        }
    }
}

/// The samples of one track in a segment, in timescale units.
private struct SampleRun {
    private(set) var first: Int64?
    private(set) var least: Int64?
    private(set) var greatest: Int64?
    private(set) var duration: Int64 = 0
    private(set) var samples = 0
    private(set) var isBroken = false
    private var time: Int64 = 0

    /// Continues at a decode time.
    mutating func jump(to time: Int64) { self.time = time }

    /// Adds the samples of a `trun`.
    mutating func add(_ run: TrackRun, defaultDuration: Int64) {
        guard run.count > 0 else { return }
        if first == nil { first = time }
        guard run.tellsSamples else {
            let (product, overflows) = defaultDuration.multipliedReportingOverflow(by: Int64(run.count))
            advance(by: overflows ? .max : product, last: overflows ? 0 : product - defaultDuration, count: run.count)
            return
        }
        var run = run
        while let sample = run.next() {
            show(at: time &+ sample.offset)
            advance(by: sample.duration ?? defaultDuration, last: nil, count: 1)
        }
    }

    private mutating func show(at presentation: Int64) {
        least = Swift.min(least ?? presentation, presentation)
        greatest = Swift.max(greatest ?? presentation, presentation)
    }

    private mutating func advance(by step: Int64, last: Int64?, count: Int) {
        if let last {
            show(at: time)
            show(at: time &+ last)
        }
        let (time, overflows) = time.addingReportingOverflow(step)
        let (duration, overflowsToo) = duration.addingReportingOverflow(step)
        isBroken = isBroken || overflows || overflowsToo
        (self.time, self.duration) = (time, duration)
        samples += count
    }
}
