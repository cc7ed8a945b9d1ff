internal import SegueConcurrency
internal import SegueFFmpeg

/// An indexer that reads every packet of a file once, without decoding.
enum IndexScan {
    /// The maximum size of an audio packet, in bytes.
    static let largestAudio = 16 << 20
    /// The maximum size of a packet in files of bare frames, in bytes; AAC has the largest frames, of 8191 bytes.
    static let largestFrame = 16 << 10
    /// libav's names of containers of bare audio frames.
    static let bareFrames: Set<String> = ["aac", "ac3", "eac3", "mp3"]

    /// Reads a newly opened input to its end.
    static func run(
        _ input: MediaInput,
        readsContent: Bool = true,
        cancellation: Cancellation
    ) throws(MediaError) -> FileIndex {
        var run = ScanRun(input, readsContent: readsContent)
        try run.readOn(cancellation)
        return run.index
    }

    /// Reads a newly opened input of a file that grows to its end, from where the last scan can go on; nil if that fails.
    static func goOn(_ input: MediaInput, _ scans: FileScans, cancellation: Cancellation) throws(MediaError)
        -> FileIndex?
    {
        guard let last = scans.last, last.fits(input), let byte = ScanRun.start(last) else { return nil }
        var run = ScanRun(input, readsContent: true, scans: scans, from: last)
        do throws(MediaError) {
            try input.seek(toByte: byte)
            try run.readOn(cancellation)
        } catch {
            if error.isCancelled { throw error }
            return nil
        }
        return run.hasFoundPlace ? run.index : nil
    }

    /// Reads a newly opened input of a file that grows from the beginning, and keeps a checkpoint.
    static func begin(_ input: MediaInput, _ scans: FileScans, cancellation: Cancellation) throws(MediaError)
        -> FileIndex
    {
        var run = ScanRun(input, readsContent: true, scans: scans)
        try run.readOn(cancellation)
        return run.index
    }

    /// The size of a subtitle packet without text: MP4 fills gaps between cues with samples that have only the length.
    static func emptyText(_ info: StreamInfo) -> Int { info.codec == "mov_text" ? 2 : 0 }

    /// True for indexed streams: audio and video other than cover art.
    static func isWanted(_ stream: StreamInfo) -> Bool {
        (stream.kind == .audio || stream.kind == .video) && !stream.isAttachedPicture
    }
}
