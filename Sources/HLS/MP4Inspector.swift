internal import Timeline

/// Looks into ISO base media: initializations, fragments and whole files (ISO/IEC 14496-12).
struct MP4Inspector {
    private var movieScale: Int64 = 1
    private var headers: [SegmentTrack] = []
    private var runs: [Int: SampleRun] = [:]
    private var runOrder: [Int] = []
    private var hasMovie = false
    private var hasFragments = false
    private var isFragmented = false

    /// Whether the bytes begin with a box that begins such resources.
    static func recognises(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(bytes)
        guard reader.skip(4), let type = reader.code() else { return false }
        return ["ftyp", "styp", "moov", "moof", "sidx", "emsg", "prft", "free", "skip", "mdat", "wide", "uuid"]
            .contains(type)
    }

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

    /// A track of a segment: its header from the initialization, its times from its fragments.
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
        movieScale = BoxReader.first("mvhd", in: movie).flatMap(MP4Boxes.timeScale) ?? 1
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
        var defaults = BoxReader(extends)
        while let box = defaults.next() {
            var reader = ByteReader(box.body)
            guard box.type == "trex", reader.skip(4), let number = reader.integer(4), reader.skip(4),
                let duration = reader.integer(4),
                let index = headers.firstIndex(where: { $0.number == number })
            else { continue }
            headers[index].initialization?.defaultDuration = Int64(duration)
        }
        // What a fragmented file's own tables say is about nothing.
        for index in headers.indices where headers[index].samples == 0 { headers[index].duration = nil }
    }

    private mutating func readFragment(_ fragment: ArraySlice<UInt8>) {
        hasFragments = true
        var boxes = BoxReader(fragment)
        while let box = boxes.next() {
            guard box.type == "traf", let header = BoxReader.first("tfhd", in: box.body).flatMap(FragmentHeader.init)
            else { continue }
            if runs[header.track] == nil {
                guard runOrder.count < 100 else { continue }
                runs[header.track] = SampleRun()
                runOrder.append(header.track)
            }
            let clock = headers.first { $0.number == header.track }?.initialization
            let duration = header.duration ?? clock?.defaultDuration ?? 0
            if let time = BoxReader.first("tfdt", in: box.body).flatMap(MP4Boxes.decodeTime) {
                runs[header.track]?.jump(to: time)
            }
            var inner = BoxReader(box.body)
            while let box = inner.next() {
                if box.type == "trun" { runs[header.track]?.add(box.body, defaultDuration: duration) }
            }
        }
    }
}

/// What a track fragment's header says.
private struct FragmentHeader {
    let track: Int
    let duration: Int64?

    init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let flags = reader.integer(4), let track = reader.integer(4) else { return nil }
        self.track = track
        if flags & 0x01 != 0 { reader.skip(8) }
        if flags & 0x02 != 0 { reader.skip(4) }
        duration = flags & 0x08 != 0 ? reader.integer(4).map(Int64.init) : nil
    }
}

/// The samples of one track in a segment, in units of its clock.
private struct SampleRun {
    private(set) var first: Int64?
    private(set) var least: Int64?
    private(set) var greatest: Int64?
    private(set) var duration: Int64 = 0
    private(set) var samples = 0
    private(set) var isBroken = false
    private var time: Int64 = 0

    /// Goes on at a decode time.
    mutating func jump(to time: Int64) { self.time = time }

    /// Adds the samples of a `trun`.
    mutating func add(_ body: ArraySlice<UInt8>, defaultDuration: Int64) {
        var reader = ByteReader(body)
        guard let flags = reader.integer(4), let count = reader.integer(4), count > 0 else { return }
        if flags & 0x01 != 0 { reader.skip(4) }
        if flags & 0x04 != 0 { reader.skip(4) }
        if first == nil { first = time }
        guard flags & 0xF00 != 0 else {
            let (product, overflows) = defaultDuration.multipliedReportingOverflow(by: Int64(count))
            advance(by: overflows ? .max : product, last: overflows ? 0 : product - defaultDuration, count: count)
            return
        }
        let isSigned = flags >> 24 != 0
        for _ in 0..<count {
            guard let sample = Sample(&reader, flags, isSigned, defaultDuration) else { break }
            show(at: time &+ sample.offset)
            advance(by: sample.duration, last: nil, count: 1)
        }
    }

    private struct Sample {
        let duration: Int64
        let offset: Int64

        init?(_ reader: inout ByteReader, _ flags: Int, _ isSigned: Bool, _ defaultDuration: Int64) {
            var (duration, offset) = (defaultDuration, Int64(0))
            if flags & 0x100 != 0 {
                guard let value = reader.integer(4) else { return nil }
                duration = Int64(value)
            }
            if flags & 0x200 != 0 { guard reader.skip(4) else { return nil } }
            if flags & 0x400 != 0 { guard reader.skip(4) else { return nil } }
            if flags & 0x800 != 0 {
                guard let value = isSigned ? reader.signed32() : reader.integer(4) else { return nil }
                offset = Int64(value)
            }
            self.duration = duration
            self.offset = offset
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
