internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// Scans an initialization section for the rules on it and on its segments.
struct InitializationScan {
    private(set) var setups: [Int: EntrySetup] = [:]
    private(set) var defaults: [Int: TrackDefaults] = [:]
    /// For each sample entry by track ID, true if its samples are encrypted.
    private(set) var encryptedEntries: [Int: [Bool]] = [:]
    /// The tracks with a loudness box.
    private(set) var loudTracks: Set<Int> = []
    private var faults = FaultList()
    private let isCMAF: Bool

    init(_ bytes: [UInt8], brands: [String], tracks: [SegmentTrack]) {
        isCMAF = brands.contains { ["cmfc", "cmf2"].contains($0) }
        var boxes = BoxReader(bytes[...])
        var (hasType, hasMovie) = (false, false)
        while let box = boxes.next() {
            if box.type == "ftyp" { hasType = true }
            guard box.type == "moov", !hasMovie else { continue }
            if !hasType { faults.note(.boxOrder, of: 0, "no ftyp precedes the moov") }
            hasMovie = true
            readMovie(box.body, tracks)
        }
    }

    /// The faults that were found.
    var all: [MediaFault] { faults.all }

    private mutating func readMovie(_ movie: ArraySlice<UInt8>, _ tracks: [SegmentTrack]) {
        var boxes = BoxReader(movie)
        var hasExtends = false
        while let box = boxes.next() {
            switch box.type {
            case "mvhd":
                if let duration = ClockHead(box.body)?.duration, duration > 0 {
                    faults.note(.movieDuration, of: 0, "the mvhd has a duration of \(duration) units, expected 0")
                }
            case "mvex":
                hasExtends = true
                readDefaults(box.body)
            case "trak":
                if hasExtends { faults.note(.extendsOrder, of: 0, "the mvex precedes a trak") }
                readTrack(box.body, tracks)
            default: break
            }
        }
    }

    private mutating func readDefaults(_ body: ArraySlice<UInt8>) {
        var boxes = BoxReader(body)
        while let box = boxes.next() {
            guard box.type == "trex", let entry = TrackDefaults(box.body), defaults.count < 100 else { continue }
            defaults[entry.track] = entry
        }
    }

    private mutating func readTrack(_ body: ArraySlice<UInt8>, _ tracks: [SegmentTrack]) {
        guard let head = BoxReader.first("tkhd", in: body), let number = MovieHeads.trackNumber(head),
            let track = tracks.first(where: { $0.number == number }), setups[number] == nil
        else { return }
        if let duration = Self.duration(ofTrack: head), duration > 0 {
            faults.note(
                .movieDuration,
                of: number,
                "the tkhd of track \(number) has a duration of \(duration) units, expected 0"
            )
        }
        if BoxReader.first(["udta", "ludt"], in: body) != nil { loudTracks.insert(number) }
        readEdits(BoxReader.first(["edts", "elst"], in: body), number)
        let information = BoxReader.first(["mdia", "minf"], in: body) ?? []
        readReferences(BoxReader.first(["dinf", "dref"], in: information), number)
        let list = BoxReader.first(["stbl", "stsd"], in: information)
        var entries = BoxReader(list?.dropFirst(8) ?? [])
        while let entry = entries.next(), encryptedEntries[number]?.count ?? 0 < 100 {
            encryptedEntries[number, default: []].append(entry.type == "encv" || entry.type == "enca")
        }
        guard let entry = list.flatMap({ SampleEntry($0) }) else {
            return
        }
        var setup = EntrySetup(entry, isVideo: track.kind == .video, isAudio: track.kind == .audio)
        if track.kind == .video { setup.apply(trackHead: head) }
        setups[number] = setup
        if let size = setup.entrySize, let inner = setup.sets?.setup?.size, size != inner {
            faults.note(
                .entrySize,
                of: number,
                "the sample entry of track \(number) has \(value: size), its parameter set \(value: inner)"
            )
        }
        if let inner = setup.innerTransfer, let outer = setup.setup.transfer, inner != outer, inner != 2, outer != 2 {
            let message: Message = "the colr box of track \(number) has transfer \(outer), its parameter set \(inner)"
            faults.note(.entryColour, of: number, message)
        }
    }

    private static func duration(ofTrack head: ArraySlice<UInt8>) -> UInt64? {
        var reader = ByteReader(head)
        guard let version = reader.byte(), reader.skip(version == 1 ? 27 : 19),
            let duration = reader.unsigned(version == 1 ? 8 : 4)
        else { return nil }
        // All bits set mean an unknown duration.
        return duration == (version == 1 ? .max : 0xFFFF_FFFF) ? nil : duration
    }

    private mutating func readEdits(_ body: ArraySlice<UInt8>?, _ number: Int) {
        guard isCMAF, let edits = body.flatMap({ EditList($0) }) else { return }
        if edits.count > 1 { faults.note(.edits, of: number, "track \(number) has \(edits.count) edits, expected 1") }
        for edit in edits.prefix(100) where edit.start < 0 {
            faults.note(.edits, of: number | 1 << 32, "track \(number) starts with an empty edit")
        }
    }

    private mutating func readReferences(_ body: ArraySlice<UInt8>?, _ number: Int) {
        guard let body else { return }
        var boxes = BoxReader(body.dropFirst(8))
        while let box = boxes.next() {
            var reader = ByteReader(box.body)
            guard let flags = reader.integer(4), flags & 1 == 0 else { continue }
            faults.note(.externalData, of: number, "track \(number) refers to data in another file")
        }
    }
}
