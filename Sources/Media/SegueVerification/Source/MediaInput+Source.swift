internal import SegueFFmpeg

extension MediaInput {
    /// Reads films and audio from here on, all of them whichever is compared: where a damaged file ends depends on what
    /// is read of it, and this is how one run of FFmpeg over the whole file reads it.
    func readAsOneRun() {
        let kept = streams.filter { ($0.kind == .audio || $0.kind == .video) && !$0.isAttachedPicture }
        keepOnly(streams: Set(kept.map(\.index)))
    }
}
