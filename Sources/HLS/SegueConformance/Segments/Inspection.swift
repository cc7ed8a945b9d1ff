internal import SegueBase
internal import SeguePlaylists

extension InitializationFacts {
    /// Inspects an initialization section.
    package static func inspecting(_ bytes: [UInt8], url: String) -> InitializationFacts {
        var facts = InitializationFacts(url: url)
        do throws(SegmentError) {
            let inspection = try SegmentInspector.inspect(bytes)
            facts.inspection = inspection
            facts.samples = inspection.tracks.reduce(0) { $0 + ($1.samples ?? 0) }
            facts.brands = MovieScan.brands(bytes)
            let scan = InitializationScan(bytes, brands: facts.brands, tracks: inspection.tracks)
            (facts.entries, facts.defaults, facts.faults) = (scan.setups, scan.defaults, scan.all)
            facts.encryptedEntries = scan.encryptedEntries
            facts.tracks = inspection.tracks.map { track in
                var facts = TrackFacts(track)
                facts.apply(scan.setups[track.number]?.setup)
                facts.hasLoudnessBox = scan.loudTracks.contains(track.number)
                return facts
            }
        } catch {
            facts.failure = Message(words: error.description)
        }
        facts.hasMovieExtends = MovieScan.hasMovieExtends(bytes)
        return facts
    }
}

extension SegmentFacts {
    /// Inspects a segment.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the segment, decrypted.
    ///   - number: The index in the playlist, from 0.
    ///   - url: The URL of the segment.
    ///   - initialization: The initialization section; nil if the segment has none.
    /// - Returns: The facts that the rules need.
    package static func inspecting(
        _ bytes: [UInt8],
        number: Int,
        url: String,
        initialization: InitializationFacts? = nil
    ) -> SegmentFacts {
        var facts = SegmentFacts(number: number, url: url, size: bytes.count)
        do throws(SegmentError) {
            let inspection = try SegmentInspector.inspect(bytes, initialization: initialization?.inspection)
            facts.layout = inspection.layout
            facts.tracks = inspection.tracks.map(TrackFacts.init)
            if inspection.layout != .webVTT { facts.digest = Self.digest(bytes) }
            switch inspection.layout {
            case .transportStream:
                facts.scanTransport(bytes, inspection.tracks)
                if initialization?.inspection?.layout == .transportStream { facts.transport?.beginsWithTables = true }
            case .fragmentedMP4, .mp4: facts.scanMovie(bytes, initialization)
            case .webVTT: facts.subtitles = SubtitleFacts(bytes)
            case .packedAudio: facts.scanPacked(bytes)
            }
        } catch {
            facts.failure = Message(words: error.description)
        }
        return facts
    }

    private static func digest(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var sum: UInt64 = 0xCBF2_9CE4_8422_2325
            for place in stride(from: 0, to: bytes.count - 7, by: 8) {
                sum = (sum ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x100_0000_01B3
                sum ^= sum >> 29
            }
            for byte in bytes.suffix(bytes.count % 8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return sum
        }
    }

    private mutating func scanTransport(_ bytes: [UInt8], _ streams: [SegmentTrack]) {
        var scan = TransportScan(bytes, tracks: streams)
        (transport, faults) = (scan.facts, scan.checks.finished())
        captions = scan.checks.captions
        for index in tracks.indices {
            let number = tracks[index].number
            tracks[index].apply(scan.checks.streams[number])
            if let pace = scan.checks.audioPaces[number], !pace.isLost { tracks[index].codedFrames = pace.frames }
            guard let head = scan.heads[number] else { continue }
            switch tracks[index].codec {
            case "h264", "hevc":
                let isHEVC = tracks[index].codec == "hevc"
                let frame = AccessUnitHead(startCodes: head, isHEVC: isHEVC)
                if startsWithIDR == nil { (startsWithIDR, startsOpen) = (frame.isIDR, frame.isOpen) }
                tracks[index].coding = frame.coding
                tracks[index].parameters = frame.parameters
                judge(SegmentStart(UnitReader(startCodes: head[...]), isHEVC: isHEVC), ofTrack: index, entry: nil)
            case "aac":
                guard head.count > 3, head[0] == 0xFF else { continue }
                tracks[index].coding = UInt64(head[2]) << 8 | UInt64(head[3] & 0xC0)
                tracks[index].apply(AudioSetup.frames(head[...], codec: "aac"))
            default: tracks[index].apply(AudioSetup.frames(head[...], codec: tracks[index].codec))
            }
        }
    }

    private mutating func scanMovie(_ bytes: [UInt8], _ initialization: InitializationFacts?) {
        let scan = FragmentScan(bytes, initialization)
        faults = scan.faults.all
        if let least = scan.sequence.min(), let greatest = scan.sequence.max() { sequence = least...greatest }
        for index in tracks.indices {
            let number = tracks[index].number
            let fragment = MovieScan.fragment(bytes, track: number)
            tracks[index].zeroDurations = fragment.zeroDurations
            let entry = initialization?.entries[number]
            let clock = initialization?.inspection?.tracks.first { $0.number == number }?.initialization
            tracks[index].apply(entry?.setup)
            if let found = scan.tracks[number] { tracks[index].apply(found, clock) }
            let codec = tracks[index].codec
            if codec == "ttml", !tracks[index].isEncrypted, let range = scan.tracks[number]?.firstSample {
                timedText = TimedTextFacts(bytes[range])
            }
            guard tracks[index].kind == .video, codec == "h264" || codec == "hevc", let sample = fragment.sample else {
                continue
            }
            let frame = AccessUnitHead(lengths: sample, isHEVC: codec == "hevc")
            tracks[index].coding = frame.coding
            if startsWithIDR == nil { (startsWithIDR, startsOpen) = (frame.isIDR, frame.isOpen) }
            guard let range = scan.tracks[number]?.firstSample, let entry else { continue }
            let units = UnitReader(lengths: bytes[range], size: entry.lengthSize)
            // sample-data reports samples at wrong offsets.
            if !tracks[index].isEncrypted, !faults.contains(where: { $0.kind == .sampleData }),
                !UnitReader.fills(bytes[range], size: entry.lengthSize)
            {
                let words: Message =
                    "the NAL units of the first frame of track \(number) do not end where its sample ends"
                faults.append(MediaFault(.sampleUnits, words))
            }
            judge(SegmentStart(units, isHEVC: codec == "hevc"), ofTrack: index, entry: entry)
            guard let found = scan.tracks[number], let clock, !tracks[index].isEncrypted else { continue }
            checkPictures(found, of: tracks[index], bytes, entry: entry, clock: clock)
        }
    }

    /// Checks the samples of a video track against the frames in them.
    private mutating func checkPictures(
        _ found: FragmentScan.Track,
        of track: TrackFacts,
        _ bytes: [UInt8],
        entry: EntrySetup,
        clock: TrackInitialization
    ) {
        var list = FaultList()
        let isHEVC = track.codec == "hevc"
        var checks = PictureChecks(isHEVC: isHEVC, number: track.number, name: "track \(track.number)")
        func seconds(_ ticks: Int64) -> Rational { Rational(ticks, max(1, clock.timeScale)) + clock.editOffset }
        let shown = found.shown.sorted()
        for (former, next) in zip(shown, shown.dropFirst()) where former == next {
            list.note(
                .sampleTimes,
                of: track.number,
                "two samples of track \(track.number) are shown at \(DisplayText.seconds(seconds(next)))"
            )
        }
        // sample-data and sample-units report samples whose bytes are not those of a frame.
        if !faults.contains(where: { [.sampleData, .sampleUnits].contains($0.kind) }) {
            let allowsSets = entry.allowsSets
            for picture in found.pictures {
                let units = PictureUnits(
                    UnitReader(lengths: bytes[picture.range], size: entry.lengthSize),
                    isHEVC: isHEVC
                )
                let time = seconds(picture.time)
                checks.checkSync(units, picture, at: time, noting: &list)
                checks.checkEnd(units, at: time, noting: &list)
                // The first frame is checked as the start of the segment.
                if !picture.isFirst {
                    checks.checkSets(units, entry, at: time, noting: &list)
                    if !allowsSets { checks.checkEntry(units, entry, at: time, noting: &list) }
                }
                if allowsSets { checks.read(units, at: time, noting: &list) } else { checks.readCaptions(units) }
            }
        }
        captions.formUnion(checks.captions.channels)
        faults += list.all
    }

    /// Compares the first frame of a track with the available parameter sets.
    private mutating func judge(_ start: SegmentStart, ofTrack index: Int, entry: EntrySetup?) {
        let (track, sets) = (tracks[index], start.sets.joined(with: entry?.sets))
        if tracks[index].setup?.size == nil, var setup = sets.setup {
            // In transport streams, only H.264 has a defined name in CODECS.
            if setup.codec?.hasPrefix("avc1") == false { setup.codec = nil }
            setup.codec = track.setup?.codec ?? setup.codec
            tracks[index].setup = setup
        }
        if tracks[index].videoRange == nil, let range = sets.setup?.videoRange, range != "SDR" {
            tracks[index].videoRange = range
        }
        guard !track.isEncrypted else { return }
        if entry?.allowsSets != true, let inner = entry?.sets, let words = start.sets.contradiction(to: inner) {
            faults.append(
                MediaFault(
                    .otherParameters,
                    "\(words) in track \(track.number) differs from the initialization section"
                )
            )
        }
        guard let slice = start.slice else { return }
        if let words = sets.missing(for: slice) {
            faults.append(
                MediaFault(
                    .missingParameters,
                    "the first frame of track \(track.number) refers to \(words), which is missing"
                )
            )
        }
        if sets.isField(slice) {
            faults.append(MediaFault(.fields, "the first frame of track \(track.number) is coded as a field"))
        }
    }

    private mutating func scanPacked(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.starts(with: Array("ID3".utf8)), rest.count > 10 {
            let length = rest.dropFirst(6).prefix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
            rest = rest.dropFirst(10 + length)
        }
        for index in tracks.indices { tracks[index].apply(AudioSetup.frames(rest, codec: tracks[index].codec)) }
    }
}

extension TrackFacts {
    /// Applies the coding setup of a sample entry or frame.
    fileprivate mutating func apply(_ setup: CodingSetup?) {
        guard let setup else { return }
        self.setup = setup
        parameters = setup.codec ?? parameters
        if let range = setup.videoRange, range != "SDR" { videoRange = range }
    }

    /// Applies the timing of the packets of an elementary stream.
    fileprivate mutating func apply(_ stream: TransportChecks.Stream?) {
        guard let stream, kind == .video else { return }
        if codec == "h264" || codec == "hevc" { keyframes = stream.keyframes.map { Rational($0, 90_000) } }
        let shown = stream.shown.sorted()
        let steps = zip(shown.dropFirst(), shown).map { $0 - $1 }.filter { $0 > 0 }
        leastStep = steps.min().map { Rational($0, 90_000) }
        greatestStep = steps.max().map { Rational($0, 90_000) }
    }

    /// Applies the timing of the fragments of a track.
    fileprivate mutating func apply(_ found: FragmentScan.Track, _ clock: TrackInitialization?) {
        (wholeSamples, isEncrypted) = (found.wholeSamples, isEncrypted && !found.isClear)
        guard let clock, clock.timeScale > 0 else { return }
        keyframes = found.keyframes.map { Rational($0, clock.timeScale) + clock.editOffset }
        if let least = found.leastStep, least > 0 { leastStep = Rational(least, clock.timeScale) }
        if let greatest = found.greatestStep, greatest > 0 { greatestStep = Rational(greatest, clock.timeScale) }
    }
}
