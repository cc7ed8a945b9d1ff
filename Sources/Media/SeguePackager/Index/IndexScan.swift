internal import SegueConcurrency
internal import SegueFFmpeg

/// Reads every packet of a file once, without decoding, and notes where everything is.
enum IndexScan {
    /// Bytes of a packet of audio at most.
    private static let greatestSound = 16 << 20

    /// Reads a freshly opened input to its end.
    static func run(
        _ input: MediaInput,
        readsContent: Bool = true,
        cancellation: Cancellation
    ) throws(MediaError) -> FileIndex {
        var jumps = JumpDetector(allowsForwardJumps: input.allowsDiscontinuities)
        // What the container says at its start counts, as it does for any decoder that is opened then.
        let infos = input.streams
        let wanted = Set(infos.filter(isWanted).map(\.index))
        input.keepOnly(streams: wanted)
        let packet = Packet()
        var contentLeft = readsContent ? Set<Int>() : wanted
        var notes: [StreamNotes?] = infos.map { _ in nil }
        var stoppedBy: String?
        while true {
            do {
                guard try input.read(into: packet) else { break }
            } catch {
                if error.isCancelled { throw error }
                stoppedBy = "\(error.call): \(error.message)"
                break
            }
            let number = packet.streamIndex
            guard packet.size > 0, wanted.contains(number) else { continue }
            // What a parser has gathered behind the last frame of damaged audio, in search of another.
            guard infos[number].kind == .video || packet.size <= greatestSound else { continue }
            let taken = notes[number] ?? StreamNotes(infos[number], hasFingerprints: readsContent)
            notes[number] = taken
            taken.note(packet, hasContent: readsContent || contentLeft.contains(number), jumps: &jumps)
            // One decodable packet of each stream is read as it is; from then on the index alone is followed.
            if !contentLeft.isEmpty, packet.isKey, contentLeft.remove(number) != nil, contentLeft.isEmpty {
                input.stopReadingContent()
            }
        }
        let streams = notes.compactMap { $0?.result }.map { ($0.info.index, $0) }
        return FileIndex(
            streams: Dictionary(uniqueKeysWithValues: streams),
            hasFingerprints: readsContent,
            stoppedBy: stoppedBy
        )
    }

    /// True if a stream's packets are indexed: audio and films.
    static func isWanted(_ stream: StreamInfo) -> Bool {
        (stream.kind == .audio || stream.kind == .video) && !stream.isAttachedPicture
    }
}
