internal import SegueFFmpeg

extension MediaInput {
    /// Enables all audio and video streams, because the end of a damaged file depends on which streams are read; FFmpeg
    /// reads them all.
    func readAsOneRun() {
        let kept = streams.filter { ($0.kind == .audio || $0.kind == .video) && !$0.isAttachedPicture }
        keepOnly(streams: Set(kept.map(\.index)))
    }
}
