internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// Checks the packets of a transport stream against ISO/IEC 13818-1 in one pass.
struct TransportChecks {
    /// The facts of one elementary stream.
    struct Stream {
        /// The presentation times of its frames as distances from the first, in ticks.
        fileprivate(set) var shown: [Int64] = []
        /// The presentation times of its keyframes in ticks.
        fileprivate(set) var keyframes: [Int64] = []
        fileprivate var first: Int64?
        fileprivate var open: (stated: Int, received: Int)?
        fileprivate var probe: [UInt8]?
        fileprivate var probed: Int64 = 0
        fileprivate var hasBegun = false
        fileprivate var pictures: PictureChecks?
        /// False after a PES packet that does not start with a NAL unit.
        fileprivate var isAligned = true
        /// True after the first slice of the open PES packet.
        fileprivate var hasSlice = false
        /// The last bytes of the open PES packet, in two parts.
        fileprivate var ends: (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
        /// The frames that end with units of the next one, which count in aligned streams only.
        fileprivate var oddEnds = FaultList()
    }

    private static let timeLimit = 100_000
    private static let probeLimit = 4096
    /// The maximum interval of clock references (2.7.2), 100 ms in ticks.
    private static let maximumInterval: Int64 = 9_000
    /// The maximum time in the decoder buffer (2.4.2.6), 10 s in ticks.
    private static let maximumDelay: Int64 = 900_000

    private(set) var streams: [Int: Stream] = [:]
    private(set) var audioPaces: [Int: AudioPace] = [:]
    private var faults = FaultList()
    private let tracks: [Int: SegmentTrack]
    private var association = SectionAssembler()
    private var maps: [Int: SectionAssembler] = [:]
    private var clocks: [Int: Int64] = [:]
    private var clock: Int64?
    private let hasVideo: Bool
    private var widest: Int64 = 0
    /// The first and the last PMT by PID.
    private(set) var mapSections: [Int: TransportFacts.Map] = [:]

    init(tracks: [SegmentTrack]) {
        hasVideo = tracks.contains { $0.kind == .video }
        self.tracks = Dictionary(tracks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        for track in tracks where track.kind == .audio && ["aac", "mp3", "ac3", "eac3"].contains(track.codec) {
            audioPaces[track.number] = AudioPace(codec: track.codec)
        }
    }

    /// Reads the next packet.
    mutating func read(_ packet: TransportPacket) {
        let pid = packet.pid
        guard pid != TransportPacket.null else { return }
        if packet.isDamaged {
            faults.note(.damage, of: pid, "packets of PID \(pid) are marked as damaged")
            return
        }
        if packet.isScrambled { faults.note(.scrambling, of: pid, "packets of PID \(pid) are scrambled") }
        if let ticks = packet.clock { read(clock: ticks, pid, isMarkedBreak: packet.marksBreak) }
        guard let payload = packet.payload, !packet.isScrambled else { return }
        if pid == 0 {
            if let section = association.add(payload, startsUnit: packet.startsUnit) { readAssociation(section) }
        } else if maps[pid] != nil {
            if let section = maps[pid]?.add(payload, startsUnit: packet.startsUnit) { readMap(section, pid) }
        } else if let track = tracks[pid], track.kind == .video || track.kind == .audio {
            read(payload, track, startsUnit: packet.startsUnit)
        } else if let track = tracks[pid], packet.startsUnit {
            checkAlignment(payload, track)
        }
    }

    /// Checks that a PES packet of data announces that a unit starts at its first byte.
    private mutating func checkAlignment(_ payload: ArraySlice<UInt8>, _ track: SegmentTrack) {
        var reader = ByteReader(payload)
        guard track.kind == .metadata || track.kind == .text, reader.integer(3) == 1, reader.skip(3),
            let marks = reader.byte(), marks & 0xC4 == 0x80,
            // A packet without PTS continues a long tag.
            let flags = reader.byte(), flags & 0x80 != 0
        else { return }
        faults.note(
            .alignment,
            of: track.number,
            "PES packets of PID \(track.number) (\(track.codec)) have no data_alignment_indicator"
        )
    }

    /// The channels and services of closed captions.
    var captions: Set<String> {
        streams.values.reduce(into: []) { $0.formUnion($1.pictures?.captions.channels ?? []) }
    }

    private mutating func read(clock ticks: Int64, _ pid: Int, isMarkedBreak: Bool) {
        if let last = clocks[pid], !isMarkedBreak {
            widest = max(widest, TransportTime.distance(from: last, to: ticks))
        }
        clocks[pid] = ticks
        clock = ticks
    }

    private mutating func readAssociation(_ section: ArraySlice<UInt8>) {
        guard section.first == 0 else { return }
        if !SectionChecksum.isRight(section) { faults.note(.checksum, of: 0, "the checksum of the PAT is wrong") }
        let programs = ProgramAssociation.maps(section)
        if programs.count != 1 { faults.note(.programs, of: 0, "the PAT has \(programs.count) programs, expected 1") }
        for pid in programs where maps[pid] == nil {
            if pid < 0x10 || pid == TransportPacket.null {
                faults.note(.packetIDs, of: pid, "the PMT has the reserved PID \(pid)")
            }
            maps[pid] = SectionAssembler()
        }
    }

    private mutating func readMap(_ section: ArraySlice<UInt8>, _ pid: Int) {
        guard let map = ProgramMap(section) else { return }
        if !SectionChecksum.isRight(section) { faults.note(.checksum, of: pid, "the checksum of the PMT is wrong") }
        checkVersion(section, pid)
        var seen: Set<Int> = []
        for stream in map {
            if !seen.insert(stream.pid).inserted {
                faults.note(.packetIDs, of: stream.pid, "two streams have the PID \(stream.pid)")
            } else if maps[stream.pid] != nil || stream.pid < 0x10 || stream.pid == TransportPacket.null {
                faults.note(.packetIDs, of: stream.pid, "a stream has the reserved PID \(stream.pid)")
            }
        }
    }

    /// Compares a PMT that is valid now with the previous one of its version.
    private mutating func checkVersion(_ section: ArraySlice<UInt8>, _ pid: Int) {
        let bytes = Array(section)
        guard bytes.count > 5, bytes[5] & 1 == 1, SectionChecksum.isRight(section) else { return }
        if let former = mapSections[pid]?.last, former[5] == bytes[5], former != bytes {
            let version = TransportFacts.Map.version(bytes)
            faults.note(.mapVersion, of: pid, "the PMT of PID \(pid) changes, its version remains \(version)")
        }
        mapSections[pid] = TransportFacts.Map(mapSections[pid]?.first ?? bytes, bytes)
    }

    private mutating func read(_ payload: ArraySlice<UInt8>, _ track: SegmentTrack, startsUnit: Bool) {
        let pid = track.number
        var stream = streams[pid] ?? Stream()
        defer { streams[pid] = stream }
        guard startsUnit else {
            stream.open?.received += payload.count
            stream.ends = (stream.ends.1, payload)
            if stream.hasBegun { audioPaces[pid]?.add(payload) }
            if stream.probe != nil { probe(&stream, payload, track: track) }
            return
        }
        end(stream, pid)
        checkEnd(&stream)
        (stream.open, stream.probe, stream.hasSlice) = (nil, nil, false)
        guard let head = PESHead(payload) else {
            faults.note(.streamType, of: pid, "a PES packet of PID \(pid) does not start with 00 00 01")
            return
        }
        open(&stream, payload, track: track, head: head)
    }

    private mutating func open(
        _ stream: inout Stream,
        _ payload: ArraySlice<UInt8>,
        track: SegmentTrack,
        head: PESHead
    ) {
        let pid = track.number
        var reader = ByteReader(payload.dropFirst(3))
        let isVideo = (reader.byte() ?? 0) & 0xF0 == 0xE0
        let stated = reader.integer(2) ?? 0
        if stated == 0, !isVideo, track.kind == .audio {
            faults.note(.packetLength, of: pid, "an audio PES packet of PID \(pid) does not state its length")
        }
        stream.open = (stated, payload.count)
        if let time = head.presentation { note(&stream, pid, shown: time, decoded: head.decode ?? time) }
        audioPaces[pid]?.begin(at: head.presentation)
        guard let content = head.content else { return }
        if !stream.hasBegun { checkType(content, track) }
        stream.hasBegun = true
        audioPaces[pid]?.add(content)
        guard track.kind == .video, track.codec == "h264" || track.codec == "hevc", let time = head.presentation
        else { return }
        (stream.probe, stream.probed, stream.ends) = ([], time, ([], content))
        if content.count > 3, !content.starts(with: [0, 0, 1]), !content.starts(with: [0, 0, 0, 1]) {
            stream.isAligned = false
        }
        probe(&stream, content, track: track)
    }

    /// Checks the last units of the open PES packet of a frame.
    private func checkEnd(_ stream: inout Stream) {
        guard let pictures = stream.pictures, stream.hasSlice else { return }
        let units = UnitReader(startCodes: (Array(stream.ends.0) + stream.ends.1)[...])
        let end = PictureUnits(units, isHEVC: pictures.isHEVC, isEnd: true)
        pictures.checkEnd(end, at: Rational(stream.probed, TransportTime.scale), noting: &stream.oddEnds)
    }

    private mutating func note(_ stream: inout Stream, _ pid: Int, shown: Int64, decoded: Int64) {
        let first = stream.first ?? shown
        stream.first = first
        if stream.shown.count < Self.timeLimit {
            stream.shown.append(TransportTime.distance(from: first, to: shown))
        }
        if TransportTime.distance(from: decoded, to: shown) < 0 {
            faults.note(.order, of: pid, "PID \(pid) has a PTS before its DTS")
        }
        guard let clock else { return }
        let wait = TransportTime.distance(from: clock, to: decoded)
        if wait < 0 {
            faults.note(
                .lateness,
                of: pid,
                "PID \(pid) has a DTS \(DisplayText.seconds(Double(-wait) / 90_000)) before its bytes arrive"
            )
        } else if wait > Self.maximumDelay {
            faults.note(
                .lateness,
                of: pid | 1 << 16,
                Comparison(
                    "the bytes of PID \(pid) precede their DTS by",
                    Double(wait) / 90_000,
                    expected: .atMost(10),
                    unit: .seconds
                )
            )
        }
    }

    private mutating func end(_ stream: Stream, _ pid: Int) {
        guard let open = stream.open, open.stated > 0, open.received != open.stated + 6 else { return }
        faults.note(
            .packetLength,
            of: pid,
            Comparison(
                "a PES packet of PID \(pid) has",
                Double(open.received - 6),
                expected: .equal(Double(open.stated)),
                unit: .bytes,
                origin: "by its header"
            )
        )
    }

    /// Searches for the first slice of a frame.
    private mutating func probe(_ stream: inout Stream, _ bytes: ArraySlice<UInt8>, track: SegmentTrack) {
        stream.probe? += bytes
        guard let probe = stream.probe else { return }
        let isHEVC = track.codec == "hevc"
        for unit in UnitReader(startCodes: probe[...]) {
            guard let head = unit.first else { continue }
            let type = isHEVC ? head >> 1 & 63 : head & 31
            guard isHEVC ? type < 32 : (1...5).contains(type) else { continue }
            if isHEVC ? (16...21).contains(type) : type == 5, stream.keyframes.count < Self.timeLimit {
                stream.keyframes.append(stream.probed)
            }
            read(probe, of: track, in: &stream)
            (stream.probe, stream.hasSlice) = (nil, true)
            return
        }
        if probe.count > Self.probeLimit { stream.probe = nil }
    }

    /// Checks the units of a frame up to its first slice.
    private mutating func read(_ bytes: [UInt8], of track: SegmentTrack, in stream: inout Stream) {
        let (number, isHEVC) = (track.number, track.codec == "hevc")
        var pictures = stream.pictures ?? PictureChecks(isHEVC: isHEVC, number: number, name: "PID \(number)")
        let units = PictureUnits(UnitReader(startCodes: bytes[...]), isHEVC: isHEVC)
        let time = Rational(stream.probed, TransportTime.scale)
        if stream.isAligned { pictures.checkDelimiters(units, at: time, noting: &faults) }
        pictures.read(units, at: time, noting: &faults)
        stream.pictures = pictures
    }

    /// Checks the first bytes of a stream against its type.
    private mutating func checkType(_ content: ArraySlice<UInt8>, _ track: SegmentTrack) {
        let head = Array(content.prefix(2048))
        guard head.count >= 8 else { return }
        let isFound: Bool
        switch track.codec {
        case "h264", "hevc":
            guard let unit = UnitReader(startCodes: head[...]).first(where: { $0.count > 1 }) else {
                isFound = false
                break
            }
            let (first, second) = (unit[unit.startIndex], unit[unit.startIndex + 1])
            let looksLikeHEVC = [0x40, 0x42, 0x44, 0x46].contains(first) && second == 1
            isFound = track.codec == "hevc" ? ![0x09, 0x67, 0x27, 0x06].contains(first) : !looksLikeHEVC
        case "aac", "mp3", "ac3", "eac3":
            isFound = head.indices.dropLast(8).contains { place in
                guard let frame = AudioFrame(head[place...]) else { return false }
                return frame.codec == track.codec || (track.codec == "mp3" && frame.codec.hasPrefix("mp"))
                    || (track.codec == "eac3" && frame.codec == "ac3")
            }
        default: return
        }
        if !isFound {
            faults.note(
                .streamType,
                of: track.number,
                "PID \(track.number) does not contain \(track.codec), its stream type"
            )
        }
    }

    /// Returns all faults after the last packet.
    mutating func finished() -> [MediaFault] {
        for (pid, stream) in streams.sorted(by: { $0.key < $1.key }) {
            end(stream, pid)
            var stream = stream
            checkEnd(&stream)
            if stream.isAligned { faults.add(stream.oddEnds) }
        }
        if widest > Self.maximumInterval {
            faults.note(
                hasVideo ? .clockInterval : .soundClockInterval,
                of: 0,
                Comparison(
                    "the longest PCR interval is",
                    Double(widest) / 90_000,
                    expected: .atMost(0.1),
                    unit: .seconds
                )
            )
        }
        for (pid, pace) in audioPaces.sorted(by: { $0.key < $1.key }) {
            for jump in pace.jumps {
                let distance = DisplayText.seconds(Double(Swift.abs(jump.ticks)) / 90_000)
                let side = jump.ticks > 0 ? "after" : "before"
                let subject = pid << 1 | (jump.ticks > 0 ? 1 : 0)
                let place = DisplayText.seconds(Double(jump.time) / 90_000)
                faults.note(
                    .soundPace,
                    of: subject,
                    "an audio frame of PID \(pid) at \(place) starts \(distance) \(side) the end of the previous one"
                )
            }
        }
        return faults.all
    }
}
