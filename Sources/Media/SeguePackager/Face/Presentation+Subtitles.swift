internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

extension Presentation {
    /// Returns a segment of a subtitle stream as WebVTT; the bytes depend only on the file and the arguments.
    ///
    /// The first call reads and caches the file's subtitles. Throws ``PackagingError`` with `.noSuchSegment` outside
    /// the plan or for a stream not in ``subtitles``, and `.changed` if the file changed.
    package func subtitleSegment(
        _ number: Int,
        of stream: Int,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        guard plan.segments.indices.contains(number), subtitles.contains(where: { $0.index == stream }) else {
            throw PackagingError(
                .noSuchSegment,
                file: identity.path,
                "the file has no text subtitles in stream \(stream), or no segment \(number)"
            )
        }
        try checkIdentity()
        return SubtitleWriter.segment(plan.segments[number], cues: try cues(cancellation)[stream] ?? [], plan: plan)
    }

    private func cues(_ cancellation: Cancellation) throws(PackagingError) -> [Int: [Cue]] {
        if let known = readCues.withLock({ $0 }) { return known }
        do {
            let read = try SubtitleReader(
                file: identity.path,
                plan: plan,
                origin: plan.origin,
                cancellation: cancellation
            ).read(subtitles)
            try checkIdentity()
            readCues.withLock { $0 = read }
            return read
        } catch {
            throw PackagingError.wrapping(error, file: identity.path)
        }
    }
}
