internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// Scans the fragments of an fMP4 segment once.
struct FragmentScan {
    /// A sample of a video track.
    struct Picture {
        let range: Range<Int>
        /// The presentation time in units of the track, without the edit list.
        let time: Int64
        let isSync: Bool
        /// True for the first sample of the segment.
        let isFirst: Bool
    }

    /// The facts of a track.
    struct Track {
        /// The number of samples, and of those with all their bytes.
        var samples = 0
        var wholeSamples = 0
        /// The bytes of the first sample.
        var firstSample: Range<Int>?
        /// The complete samples of a video track.
        var pictures: [Picture] = []
        /// The presentation times of the samples of a video track in units of the track.
        var shown: [Int64] = []
        /// The presentation times of keyframes in units of the track.
        var keyframes: [Int64] = []
        /// The minimum and maximum duration of a sample, without the last one.
        var leastStep: Int64?
        var greatestStep: Int64?
        /// The number of samples, without the last one, whose duration is not that of an audio frame.
        var unevenFrames = 0
        /// True if the sample entry is not encrypted.
        var isClear = false
        fileprivate var lastStep: Int64?
        fileprivate var time: Int64 = 0
    }

    /// One sample of a track run, with defaults applied.
    private struct Sample {
        let duration: Int64
        var offset: Int64 = 0
        var flags: Int
        let size: Int
    }

    private static let keyframeLimit = 10_000
    private static let pictureLimit = 100_000

    private(set) var tracks: [Int: Track] = [:]
    private(set) var faults = FaultList()
    /// The sequence numbers of the fragments.
    private(set) var sequence: [Int] = []
    private let bytes: [UInt8]
    private let defaults: [Int: TrackDefaults]
    private let known: InitializationFacts?
    private let videoTracks: Set<Int>
    private var mediaData: [Range<Int>] = []
    private var data: [(track: Int, range: Range<Int>)] = []
    private var fragments = 0
    private var indexEnds: [UInt64] = []
    /// The tracks without default-base-is-moof.
    private var tracksWithoutBase: Set<Int> = []
    /// True if another track has default-base-is-moof.
    private var hasMoofBase = false

    init(_ bytes: [UInt8], _ initialization: InitializationFacts?) {
        self.bytes = bytes
        known = initialization
        defaults = initialization?.defaults ?? [:]
        videoTracks = Set((initialization?.tracks ?? []).filter { $0.kind == .video }.map(\.number))
        readBoxes()
        for (number, track) in tracks.sorted(by: { $0.key < $1.key }) where track.unevenFrames > 0 {
            noteUnevenFrames(of: track, number)
        }
        // CMAF, 7.5.13, requires the flag in each track. In other files it must be consistent.
        let isCMAF = known.map { !Set($0.brands).isDisjoint(with: ["cmfc", "cmf2"]) } ?? false
        for number in tracksWithoutBase.sorted() where hasMoofBase || isCMAF {
            faults.note(.addressing, of: number, "a fragment of track \(number) has no default-base-is-moof")
        }
        for (track, range) in data where !mediaData.contains(where: { $0.contains(range) }) {
            faults.note(.sampleData, of: track, "samples of track \(track) lie outside of the mdat boxes")
        }
    }

    /// Notes audio samples whose duration is not that of a frame, by their cause: the clock of the track, or the samples.
    private mutating func noteUnevenFrames(of track: Track, _ number: Int) {
        let setup = known?.tracks.first { $0.number == number }?.setup
        let scale = known?.inspection?.tracks.first { $0.number == number }?.initialization?.timeScale
        if let length = setup?.frameLength, let rate = setup?.sampleRate, let scale, track.leastStep == Int64(length),
            track.greatestStep == Int64(length)
        {
            let message: Message =
                "the timescale of track \(number) is \(scale), expected \(rate) as its audio, whose frames have \(length) samples"
            faults.note(.soundPace, of: number, message)
            return
        }
        let message: Message =
            "\(track.unevenFrames) samples of track \(number) do not have the duration of an audio frame"
        faults.note(.soundPace, of: number, message)
    }

    private mutating func readBoxes() {
        var place = 0
        var openFragment = false
        while let head = BoxHead(bytes[place...]) {
            let claimed = head.size.map { Int(clamping: $0) } ?? bytes.count - place
            let size = min(claimed, bytes.count - place)
            let body = bytes[place + min(head.length, size)..<place + size]
            switch head.type {
            case "moof":
                if openFragment {
                    faults.note(.mediaData, of: 0, "a moof follows another without an mdat between them")
                }
                openFragment = true
                readFragment(body, at: place)
            case "mdat":
                if !openFragment, fragments > 0 { faults.note(.mediaData, of: 1, "two mdat follow one moof") }
                openFragment = false
                mediaData.append(body.indices)
            case "sidx": readIndex(body)
            default: break
            }
            guard size > 0 else { break }
            place += size
            if indexEnds.contains(UInt64(place)) { indexEnds.removeAll { $0 == UInt64(place) } }
        }
        for end in indexEnds {
            faults.note(.index, of: 0, "the sidx ends at byte \(end) of \(bytes.count), where no box ends")
        }
        if openFragment, fragments > 0 { faults.note(.mediaData, of: 2, "no mdat follows the last moof") }
    }

    /// Notes the ends of the ranges of an index, each of which must be the end of a box.
    private mutating func readIndex(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(3 + 8), reader.skip(version == 0 ? 4 : 8),
            let first = reader.unsigned(version == 0 ? 4 : 8), reader.skip(2), let count = reader.integer(2)
        else { return }
        var end = UInt64(body.endIndex).addingReportingOverflow(first).partialValue
        for _ in 0..<count {
            guard let size = reader.integer(4), reader.skip(8) else { break }
            end = end.addingReportingOverflow(UInt64(size & 0x7FFF_FFFF)).partialValue
        }
        if count > 0, indexEnds.count < 1000 { indexEnds.append(end) }
    }

    private mutating func readFragment(_ body: ArraySlice<UInt8>, at place: Int) {
        fragments += 1
        if let head = BoxReader.first("mfhd", in: body), sequence.count < Self.keyframeLimit {
            var reader = ByteReader(head)
            if reader.skip(4), let number = reader.integer(4) { sequence.append(number) }
        }
        var boxes = BoxReader(body)
        var index = 0
        while let box = boxes.next() {
            guard box.type == "traf", let head = BoxReader.first("tfhd", in: box.body).flatMap(FragmentHead.init)
            else { continue }
            readTrack(box.body, head, fragment: place, isFirst: index == 0)
            index += 1
        }
    }

    private mutating func readTrack(_ body: ArraySlice<UInt8>, _ head: FragmentHead, fragment: Int, isFirst: Bool) {
        let number = head.track
        guard tracks.count < 100 || tracks[number] != nil else { return }
        var track = tracks[number] ?? Track()
        if let known, known.inspection != nil, !known.tracks.contains(where: { $0.number == number }) {
            faults.note(.unknownTrack, of: number, "track \(number) is not in the initialization section")
        }
        let time = BoxReader.first("tfdt", in: body)
        if let time = time.flatMap(MovieHeads.decodeTime) {
            track.time = time
        } else if let time {
            let value = time.dropFirst(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let message: Message =
                "the tfdt of track \(number) is \(value: value) ticks, \(Int64(bitPattern: value)) as a signed number"
            faults.note(.fragmentTime, of: number, message)
        } else {
            faults.note(.fragmentTime, of: number, "a fragment of track \(number) has no tfdt")
        }
        if head.hasBase {
            faults.note(.addressing, of: number, "a fragment of track \(number) has an absolute base-data-offset")
        } else if !head.isBaseFragment, !isFirst {
            faults.note(
                .addressing,
                of: number,
                "a fragment of track \(number) is addressed from the end of the previous track"
            )
        } else if !head.isBaseFragment {
            tracksWithoutBase.insert(number)
        }
        if head.isBaseFragment { hasMoofBase = true }
        let entries = known?.encryptedEntries[number] ?? []
        let entry = (head.description ?? defaults[number]?.description ?? 1) - 1
        // A title may start unencrypted, with a separate sample entry.
        track.isClear = entries.indices.contains(entry) && !entries[entry]
        if !track.isClear { checkDecryption(body, number) }
        // Absolute offsets cannot be resolved, since the position of the segment in its file is unknown.
        var place: Int? = head.hasBase || (!head.isBaseFragment && !isFirst) ? nil : fragment
        var boxes = BoxReader(body)
        while let box = boxes.next() {
            guard box.type == "trun", let run = TrackRun(box.body), run.count > 0 else { continue }
            if let offset = run.dataOffset, place != nil { place = fragment + offset }
            read(run, of: head, into: &track, at: &place)
        }
        tracks[number] = track
    }

    private static func hasVectors(_ body: ArraySlice<UInt8>) -> Bool {
        BoxReader.first("senc", in: body) != nil || BoxReader.first("saiz", in: body) != nil
            || BoxReader.first("uuid", in: body) != nil
    }

    private mutating func checkDecryption(_ body: ArraySlice<UInt8>, _ number: Int) {
        guard known?.needsVectors.contains(number) == true, !Self.hasVectors(body) else { return }
        faults.note(.decryption, of: number, "an encrypted fragment of track \(number) has neither senc nor saiz")
    }

    private mutating func read(
        _ run: TrackRun,
        of head: FragmentHead,
        into track: inout Track,
        at place: inout Int?
    ) {
        let number = head.track
        let usual = Sample(
            duration: head.duration ?? defaults[number]?.duration ?? 0,
            flags: head.flags ?? defaults[number]?.flags ?? 0,
            size: head.size ?? defaults[number]?.size ?? 0
        )
        let start = place
        if !run.tellsSamples {
            // All samples are equal; the count may exceed the number of bytes.
            let total = usual.size.multipliedReportingOverflow(by: run.count)
            var first = usual
            first.flags = run.firstFlags ?? usual.flags
            note(first, of: number, in: &track, at: place)
            track.samples = track.samples.addingReportingOverflow(run.count - 1).partialValue
            let length = usual.duration.multipliedReportingOverflow(by: Int64(run.count - 1))
            track.time = track.time.addingReportingOverflow(length.partialValue).partialValue
            let fits = place.map { ($0 >= 0 && $0 < bytes.count) ? bytes.count - $0 : 0 } ?? 0
            track.wholeSamples += max(0, min(run.count, usual.size > 0 ? fits / usual.size : run.count) - 1)
            place = total.overflow ? nil : place?.addingReportingOverflow(total.partialValue).partialValue
        } else {
            var (run, isFirst) = (run, true)
            while let sample = run.next() {
                let flags = isFirst ? run.firstFlags ?? sample.flags : sample.flags
                let whole = Sample(
                    duration: sample.duration ?? usual.duration,
                    offset: sample.offset,
                    flags: flags ?? usual.flags,
                    size: sample.size ?? usual.size
                )
                if !run.isSigned, sample.offset >= 1 << 31 {
                    faults.note(
                        .offsets,
                        of: number,
                        "a composition offset of track \(number) is \(sample.offset), a negative number in trun version 0"
                    )
                }
                note(whole, of: number, in: &track, at: place)
                place = place?.addingReportingOverflow(whole.size).partialValue
                isFirst = false
            }
        }
        guard let start, let place, data.count < 100_000 else { return }
        data.append((number, start..<max(start, place)))
    }

    private mutating func notePicture(_ sample: Sample, of number: Int, in track: inout Track, at place: Int?) {
        guard videoTracks.contains(number), track.shown.count < Self.pictureLimit else { return }
        let time = track.time.addingReportingOverflow(sample.offset).partialValue
        track.shown.append(time)
        guard let place, place >= 0, place <= bytes.count, sample.size > 0, sample.size <= bytes.count - place else {
            return
        }
        track.pictures.append(
            Picture(
                range: place..<place + sample.size,
                time: time,
                isSync: sample.flags & 0x1_0000 == 0,
                isFirst: track.samples == 1
            )
        )
    }

    /// Adds one sample.
    private mutating func note(_ sample: Sample, of number: Int, in track: inout Track, at place: Int?) {
        track.samples += 1
        notePicture(sample, of: number, in: &track, at: place)
        if let place, place >= 0, place <= bytes.count, sample.size <= bytes.count - place {
            track.wholeSamples += 1
            if track.firstSample == nil, sample.size > 0 { track.firstSample = place..<place + sample.size }
        }
        if sample.flags & 0x1_0000 == 0, track.keyframes.count < Self.keyframeLimit {
            track.keyframes.append(track.time.addingReportingOverflow(sample.offset).partialValue)
        }
        if let step = track.lastStep {
            track.leastStep = min(track.leastStep ?? step, step)
            track.greatestStep = max(track.greatestStep ?? step, step)
            if let frame = known?.frameUnits[number],
                (Rational(step) - frame).magnitude > Rational(1) + frame / Rational(100)
            {
                track.unevenFrames += 1
            }
        }
        track.lastStep = sample.duration
        track.time = track.time.addingReportingOverflow(sample.duration).partialValue
    }
}

extension Range<Int> {
    /// Returns true if it contains all of another range.
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        other.lowerBound >= lowerBound && other.upperBound <= upperBound
    }
}
