internal import SegueConcurrency
internal import SegueFFmpeg

/// An indexer that reads every packet of a file once, without decoding.
enum IndexScan {
    /// The maximum size of an audio packet, in bytes.
    private static let largestAudio = 16 << 20
    /// The maximum size of a packet in files of bare frames, in bytes; AAC has the largest frames, of 8191 bytes.
    private static let largestFrame = 16 << 10
    /// libav's names of containers of bare audio frames.
    private static let bareFrames: Set<String> = ["aac", "ac3", "eac3", "mp3"]

    /// Reads a newly opened input to its end.
    static func run(
        _ input: MediaInput,
        readsContent: Bool = true,
        cancellation: Cancellation
    ) throws(MediaError) -> FileIndex {
        var jumps = JumpDetector(allowsForwardJumps: input.allowsDiscontinuities)
        let largest = bareFrames.contains(input.formatName) ? largestFrame : largestAudio
        // Declarations at the start apply, as for a decoder opened now.
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
                stoppedBy = error.reason
                break
            }
            let number = packet.streamIndex
            guard packet.size > 0, wanted.contains(number) else { continue }
            // A parser can accumulate garbage after the last frame of damaged audio.
            guard infos[number].kind == .video || packet.size <= largest else { continue }
            let taken = notes[number] ?? StreamNotes(infos[number], hasFingerprints: readsContent)
            notes[number] = taken
            taken.note(packet, hasContent: readsContent || contentLeft.contains(number), jumps: &jumps)
            // One decodable packet per stream is read with content; then only the index is followed.
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

    /// True for indexed streams: audio and video other than cover art.
    static func isWanted(_ stream: StreamInfo) -> Bool {
        (stream.kind == .audio || stream.kind == .video) && !stream.isAttachedPicture
    }
}
