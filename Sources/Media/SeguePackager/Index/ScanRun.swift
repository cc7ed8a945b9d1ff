internal import SegueConcurrency
internal import SegueFFmpeg

/// A scan of the packets of an input.
struct ScanRun {
    private let input: MediaInput
    private let infos: [StreamInfo]
    private let wanted: Set<Int>
    private let readsContent: Bool
    /// The maximum size of an audio packet, in bytes.
    private let largest: Int
    /// The checkpoints of a file that grows; nil for others.
    private let scans: FileScans?
    private var jumps: JumpDetector
    private var notes: [StreamNotes?]
    /// The streams of which no decodable packet was read with content.
    private var contentLeft: Set<Int>
    private var emptySubtitles: Set<Int>
    private var stoppedBy: String?
    /// The streams whose last noted packet has not been found again, with the number of packets read since.
    private var unplaced: [Int: Int] = [:]
    private var hasCheckpoint = false

    /// The packets before a wanted one at which reading begins, because the first packets after a seek are cut.
    private static let margin = 6
    /// The number of packets of a stream after which its last noted one is not found.
    private static let patience = 400

    /// Starts a scan; `checkpoint` is a state to go on from, behind which the input is placed.
    init(_ input: MediaInput, readsContent: Bool, scans: FileScans? = nil, from checkpoint: ScanCheckpoint? = nil) {
        self.input = input
        self.readsContent = readsContent
        self.scans = scans
        // Declarations at the start apply, as for a decoder opened now.
        infos = input.streams
        wanted = Set(infos.filter(IndexScan.isWanted).map(\.index))
        largest = IndexScan.bareFrames.contains(input.formatName) ? IndexScan.largestFrame : IndexScan.largestAudio
        contentLeft = readsContent ? [] : wanted
        let subtitles = Set(infos.filter { $0.kind == .subtitle }.map(\.index))
        input.keepOnly(streams: wanted.union(subtitles))
        guard let checkpoint, let start = Self.start(checkpoint) else {
            jumps = JumpDetector(allowsForwardJumps: input.allowsDiscontinuities)
            (notes, emptySubtitles) = (infos.map { _ in nil }, subtitles)
            return
        }
        (jumps, emptySubtitles) = (checkpoint.jumps, checkpoint.emptySubtitles)
        notes = checkpoint.notes.map { $0.map(StreamNotes.init(copying:)) }
        for (number, note) in notes.enumerated() {
            // A stream that paused for long before has only new packets.
            if let last = note?.packets.last, last.position >= start { unplaced[number] = 0 }
        }
    }

    /// The byte at which reading begins, before the last packets of all streams; nil if a stream has no positions.
    static func start(_ checkpoint: ScanCheckpoint) -> Int64? {
        let ends = checkpoint.notes.compactMap { note -> Int64? in
            guard let packets = note?.packets, !packets.isEmpty else { return nil }
            return packets[max(0, packets.count - margin)].position
        }
        guard !ends.isEmpty, ends.allSatisfy({ $0 >= 0 }) else { return nil }
        return ends.filter { $0 > checkpoint.position - ScanCheckpoint.reach }.min()
    }

    /// True if reading went on exactly behind the checkpoint.
    var hasFoundPlace: Bool { unplaced.isEmpty }

    /// The index of the packets read so far.
    var index: FileIndex {
        let streams = notes.compactMap { $0?.result }.map { ($0.info.index, $0) }
        return FileIndex(
            streams: Dictionary(uniqueKeysWithValues: streams),
            hasFingerprints: readsContent,
            stoppedBy: stoppedBy,
            emptySubtitles: stoppedBy == nil ? emptySubtitles : []
        )
    }

    /// Reads to the end, or until it is certain that the place is not found.
    mutating func readOn(_ cancellation: Cancellation) throws(MediaError) {
        let packet = Packet()
        while unplaced.values.allSatisfy({ $0 <= Self.patience }) {
            do {
                guard try input.read(into: packet) else { break }
            } catch {
                if error.isCancelled { throw error }
                stoppedBy = error.reason
                break
            }
            note(packet)
        }
    }

    private mutating func note(_ packet: Packet) {
        let number = packet.streamIndex
        guard infos.indices.contains(number) else { return }
        if emptySubtitles.contains(number), packet.size > IndexScan.emptyText(infos[number]) {
            emptySubtitles.remove(number)
        }
        guard packet.size > 0, wanted.contains(number) else { return }
        // A parser can accumulate garbage after the last frame of damaged audio.
        guard infos[number].kind == .video || packet.size <= largest else { return }
        if let count = unplaced[number] {
            unplaced[number] = isLastNoted(packet) ? nil : count + 1
            return
        }
        takeCheckpoint(before: packet)
        let taken = notes[number] ?? StreamNotes(infos[number], hasFingerprints: readsContent)
        notes[number] = taken
        taken.note(packet, hasContent: readsContent || contentLeft.contains(number), jumps: &jumps)
        // One decodable packet per stream is read with content; then only the index is followed.
        if !contentLeft.isEmpty, packet.isKey, contentLeft.remove(number) != nil, contentLeft.isEmpty {
            input.stopReadingContent()
        }
    }

    private func isLastNoted(_ packet: Packet) -> Bool {
        guard let last = notes[packet.streamIndex]?.packets.last else { return false }
        return last.position == packet.position && Int(last.size) == packet.size
            && last.rawPTS == packet.pts ?? packet.dts ?? IndexedPacket.unknown
            && last.fingerprint == packet.fingerprint
    }

    private mutating func takeCheckpoint(before packet: Packet) {
        guard let scans, !hasCheckpoint, unplaced.isEmpty, packet.isKey, packet.position >= max(1, scans.due),
            infos[packet.streamIndex].kind == .video || !infos.contains(where: { $0.kind == .video })
        else { return }
        hasCheckpoint = true
        scans.keep(
            ScanCheckpoint(
                input,
                notes: notes,
                jumps: jumps,
                emptySubtitles: emptySubtitles,
                position: packet.position
            )
        )
    }
}
