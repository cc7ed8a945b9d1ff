internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

extension Presentation {
    /// A segment of subtitles as WebVTT; the bytes depend on the file and these arguments only.
    ///
    /// The file's subtitles are read when they are asked for first, and held.
    ///
    /// - Parameters:
    ///   - number: Its number in the plan, from 0.
    ///   - stream: The number of a stream that ``subtitles`` names.
    ///   - cancellation: Stops the work.
    /// - Returns: The segment's bytes.
    /// - Throws: ``PackagingError``: `.noSuchSegment` outside the plan or for any other stream, `.changed` when the file
    ///   is another one now.
    package func subtitleSegment(
        _ number: Int,
        of stream: Int,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        guard plan.segments.indices.contains(number), subtitles.contains(where: { $0.index == stream }) else {
            throw PackagingError(
                .noSuchSegment,
                file: identity.path,
                "it has no subtitles in stream \(stream), or no segment \(number)"
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
