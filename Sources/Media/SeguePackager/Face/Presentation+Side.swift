internal import Foundation
internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

extension Presentation {
    /// The largest file of subtitles that is read.
    private static let greatestSide: Int64 = 16 << 20
    /// How many files' subtitles are held.
    private static let sidesHeld = 8

    /// A segment of the subtitles in a file beside this one, as WebVTT; its times count from the beginning.
    ///
    /// - Parameters:
    ///   - number: Its number in the plan, from 0.
    ///   - side: The file, as it is now.
    ///   - cancellation: Stops the work.
    /// - Returns: The segment's bytes.
    /// - Throws: ``PackagingError``: `.noSuchSegment` outside the plan, `.notMedia` where the file has no text
    ///   subtitles.
    package func subtitleSegment(
        _ number: Int,
        ofFile side: FileIdentity,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        guard plan.segments.indices.contains(number) else {
            throw PackagingError(.noSuchSegment, file: identity.path, "it has no segment \(number)")
        }
        return SubtitleWriter.segment(plan.segments[number], cues: try cues(of: side, cancellation), plan: plan)
    }

    private func cues(of side: FileIdentity, _ cancellation: Cancellation) throws(PackagingError) -> [Cue] {
        if let known = sideCues.withLock({ $0[side] }) { return known }
        let name = side.path
        guard side.size <= Self.greatestSide, let data = FileManager.default.contents(atPath: name),
            try FileIdentity(ofFileAt: name) == side
        else { throw PackagingError(.unreadable, file: name, "it is too large for subtitles, or is changing") }
        do {
            let input = try MediaInput(bytes: SideText.utf8([UInt8](data)), name: name, cancellation: cancellation)
            guard let stream = input.streams.first(where: { $0.kind == .subtitle && $0.isText && $0.canDecode }) else {
                throw PackagingError(.notMedia, file: name, "it has no subtitles that are text")
            }
            let reader = SubtitleReader(file: name, plan: plan, origin: .zero, cancellation: cancellation)
            let cues = try reader.read([stream], from: input)[stream.index] ?? []
            sideCues.withLock { held in
                if held.count >= Self.sidesHeld { held.removeAll() }
                held[side] = cues
            }
            return cues
        } catch {
            throw PackagingError.wrapping(error, file: name)
        }
    }
}
